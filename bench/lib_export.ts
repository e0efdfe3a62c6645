/**
 * Peak memory of exporting 1,000,000 file sets to CSV, over an idle process of the same kind. The
 * service runs in a process of its own, and so does each side of the comparison.
 */

import { startService } from "./lib_service.ts";

const ROWS = 1_000_000;

/** Most memory that a process ever held, in MiB, as Linux tells. */
async function peak(args: string[]): Promise<number> {
  const file = new URL("./lib_export_process.ts", import.meta.url).pathname;
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", file, ...args],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("The exporting process failed");
  return Number(new TextDecoder().decode(stdout)) / 1024;
}

await using service = await startService();
const idle = await peak([]);
const exporting = await peak([`${service.origin}/rows/${ROWS}/wait/0`, String(ROWS)]);
console.log(`lib_export: ${ROWS} file sets to CSV`);
console.log(
  `  idle ${idle.toFixed(0)} MiB, exporting ${exporting.toFixed(0)} MiB: ` +
    `${(exporting - idle).toFixed(0)} MiB more (wanted: at most 128)`,
);
