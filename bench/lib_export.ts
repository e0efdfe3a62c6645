/**
 * Peak memory of exporting 1,000,000 file sets to CSV, above an idle process of the same kind. The
 * service and both sides of the comparison run in their own processes.
 */

import { type Bench, figureOf } from "./bench.ts";
import { startServing } from "./load.ts";

const ROWS = 1_000_000;

/** How much more memory than an idle process the export may use. */
const ALLOWED_MIB = 128;

/** The peak memory of a process in MiB, as Linux reports it. */
async function peak(args: string[]): Promise<number> {
  const file = new URL("./lib/export_process.ts", import.meta.url).pathname;
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", file, ...args],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("The exporting process failed");
  return Number(new TextDecoder().decode(stdout)) / 1024;
}

const bench: Bench = async () => {
  const service = await startServing([new URL("./lib/server.ts", import.meta.url).pathname]);
  try {
    const idle = await peak([]);
    const exporting = await peak([`${service.origin}/rows/${ROWS}/wait/0`, String(ROWS)]);
    return [figureOf(
      `memory of exporting 1,000,000 rows to CSV over an idle process of ${idle.toFixed(0)} MiB`,
      { measured: exporting - idle, baseline: ALLOWED_MIB },
      (mib) => `${mib.toFixed(0)} MiB`,
      "≤ 1",
    )];
  } finally {
    await service.stop();
  }
};

export default bench;
