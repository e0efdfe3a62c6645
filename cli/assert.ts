/** Asserts that a search finds no more than it may. */
import { type ClientOptions, createClient, type FileSet, type SearchBody } from "../lib/mod.ts";
import { ExitCode } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { layOut } from "./table.ts";

/** At most this many of the matching file sets are written. */
const MOST_SHOWN = 10;

/**
 * Counts the file sets that match, by their rows and not by the service's total. The exit code is
 * `failed` when there are more than `max`.
 */
export async function assertMost(
  body: SearchBody,
  max: number,
  json: boolean,
  options: ClientOptions,
  io: Io,
): Promise<number> {
  const fileSets: FileSet[] = [];
  let count = 0;
  for await (const fileSet of createClient(options).fileSets.search(body)) {
    if (count++ < MOST_SHOWN) fileSets.push(fileSet);
    // The rest would not change the answer.
    if (count > Math.max(max, MOST_SHOWN)) break;
  }
  const isMore = count > Math.max(max, MOST_SHOWN);
  const passes = count <= max;
  if (json) {
    await io.out.write(JSON.stringify({ passes, max, count, isMore, fileSets }, null, 2) + "\n");
  } else {
    const found = `${isMore ? "at least " : ""}${count.toLocaleString("en")}`;
    await io.err.write(
      `${passes ? "ok" : "FAILED"}: ${found} file sets match, at most ${max} allowed\n`,
    );
    if (!passes) {
      const table = layOut(["id", "name", "owner"], fileSets, io);
      await io.out.write(table.head() + fileSets.map(table.line).join(""));
      await table.printCut("--json writes everything");
    }
  }
  return passes ? ExitCode.done : ExitCode.failed;
}
