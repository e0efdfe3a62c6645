/**
 * The command line: file sets and report histories as tables, CSV, NDJSON or JSON.
 *
 * ```sh
 * DOCKET_URL=https://service.example DOCKET_TOKEN=… deno run jsr:@docket/docket/cli filesets --all
 * ```
 *
 * `--help` lists everything else.
 *
 * @module
 */

import process from "node:process";
import { processIo } from "./io.ts";
import { run } from "./run.ts";

export { ExitCode } from "./command.ts";
export { run } from "./run.ts";
export type { PackFile } from "../lib/evidence/zip_files.ts";
export type { Io, OpenedFile, Output } from "./io.ts";

if (import.meta.main) process.exitCode = await run(process.argv.slice(2), processIo());
