/** `deno task import`: puts file sets and runs from a file or standard input into the database. */
import { createHash } from "node:crypto";
import { CsvError } from "../import/csv_rows.ts";
import { importValues } from "../import/import_values.ts";
import {
  cut,
  CutError,
  HEAD_BYTES,
  isCsv,
  isDocument,
  type Position,
} from "../import/json_values.ts";
import { openStore } from "../open.ts";
import { formatRowCounts, type RowCounts } from "../row_counts.ts";
import type { Store } from "../store.ts";
import {
  type Arguments,
  ownServiceSettings,
  readWholeNumber,
  runAsProgram,
  type Task,
  type TaskContext,
  TaskError,
} from "./task.ts";

const HELP = `Puts file sets and runs into the embedded service's database.

deno task import [--schedule ID] [--restart] [FILE]

  FILE           NDJSON, JSON or CSV: as Docket exports it, or as the interface answers it; see
                 docs/import.md. By default standard input
  --schedule ID  the schedule of runs that do not name theirs
  --restart      begin at the first line, even if an import of this file was interrupted

A row with the same id is replaced; for runs, the schedule is part of the id. An interrupted
import of an NDJSON file continues where it stopped. Of entries with the same id, the last one
stays, and each repetition is named. Entries that can't be imported are reported with their line;
the others are imported. A JSON document is read as a whole: for millions of rows, use NDJSON.

Exit code 0: all entries were imported; 1: some were not, or the database can't be used; 2: something
in the arguments or settings is wrong.`;

const MOST_REPORTED = 100;

/** Imports; the exit code is 1 when entries were rejected. */
export const importFile: Task = {
  help: HELP,
  options: ["schedule"],
  flags: ["restart"],
  rest: 1,
  run,
};

async function run(given: Arguments, context: TaskContext): Promise<number> {
  const schedule = given.options.schedule;
  const scheduleId = schedule === undefined ? undefined : readWholeNumber("schedule", schedule);
  const settings = ownServiceSettings(context);
  const source = await openSource(given.rest[0]);
  using _file = source.file;
  await using store = await openStore(settings);
  try {
    const summary = await importFrom(source, store, scheduleId, given, context);
    context.print(formatRowCounts(summary));
    if (summary.read > 0 && summary.rejected === summary.read) {
      context.report(
        "Nothing was imported: docs/import.md says what a file set and a run must have",
      );
    }
    if (summary.read === 0) context.report("The file is empty");
    return summary.rejected > 0 ? 1 : 0;
  } catch (error) {
    if (error instanceof CutError || error instanceof CsvError) throw new TaskError(error.message);
    throw error;
  }
}

async function importFrom(
  source: Source,
  store: Store,
  scheduleId: number | undefined,
  given: Arguments,
  context: TaskContext,
): Promise<RowCounts> {
  const from = given.flags.restart ? undefined : await positionOf(source, store);
  if (from) {
    context.report(`Continuing at line ${from.line}, where the last import was interrupted`);
  }
  let rejected = 0;
  let repeated = 0;
  const summary = await importValues(store, await valuesOf(source, from), {
    scheduleId,
    from,
    noteOf: source.isLines
      ? (position) => ({
        [source.note]: JSON.stringify({ ...position, fingerprint: source.fingerprint }),
      })
      : undefined,
    onBatch: (summary) => context.report(formatRowCounts(summary)),
    onRejected(place, issues) {
      rejected++;
      if (rejected <= MOST_REPORTED) context.report(`${place}: ${issues.join("; ")}`);
      if (rejected === MOST_REPORTED) context.report("Further rejected entries are only counted");
    },
    onRepeated(place, id, earlier) {
      repeated++;
      if (repeated > MOST_REPORTED) return;
      context.report(`${place}: id ${id} is also in ${earlier}: this entry replaces it`);
      if (repeated === MOST_REPORTED) context.report("Further repeated ids are not named");
    },
    onUnknown: (name, place) =>
      context.report(
        `${place}: "${
          name.slice(0, 100)
        }" is an unknown field: it is dropped, here and in later entries`,
      ),
  });
  if (source.file) await store.put({ notes: { [source.note]: null } });
  return summary;
}

interface Source {
  /** The file, or undefined for standard input, which can't be read twice. */
  readonly file?: Deno.FsFile;
  /** The name of the note with its position. */
  readonly note: string;
  /** Differs for another file. */
  readonly fingerprint: string;
  /** Whether it is a file with a value on each line, so that an import of it can continue. */
  readonly isLines: boolean;
}

async function openSource(path: string | undefined): Promise<Source> {
  if (path === undefined) return { note: "", fingerprint: "", isLines: false };
  if (path === "" || path.includes(",")) {
    throw new TaskError(
      "Give the file a name without a comma, or send it to standard input",
    );
  }
  try {
    const { size, isDirectory } = await Deno.stat(path);
    if (isDirectory) throw new TaskError(`${path} is a folder, not a file`);
    const file = await Deno.open(path);
    const head = new Uint8Array(Math.min(size, HEAD_BYTES));
    for (let filled = 0; filled < head.length;) {
      const count = await file.read(head.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    const hash = createHash("sha256").update(head).digest("hex");
    return {
      file,
      note: `import ${await Deno.realPath(path)}`,
      fingerprint: `${size} ${hash}`,
      isLines: !isCsv(head) && !isDocument(head),
    };
  } catch (error) {
    if (error instanceof TaskError) throw error;
    if (error instanceof Deno.errors.NotFound) throw new TaskError(`There is no file ${path}`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new TaskError(`${path} can't be read: ${reason}`);
  }
}

async function positionOf(source: Source, store: Store): Promise<Position | undefined> {
  const note = source.file && await store.note(source.note);
  if (note === undefined) return undefined;
  const { fingerprint, position, line } = JSON.parse(note);
  return fingerprint === source.fingerprint ? { position, line } : undefined;
}

/** The values from a position on. */
async function valuesOf(source: Source, from: Position | undefined) {
  if (!source.file) return cut(Deno.stdin.readable);
  await source.file.seek(from?.position ?? 0, Deno.SeekMode.Start);
  return cut(chunksOf(source.file), from);
}

// The file's own stream has small chunks, and closes the file.
async function* chunksOf(file: Deno.FsFile): AsyncGenerator<Uint8Array> {
  while (true) {
    const chunk = new Uint8Array(1024 * 1024);
    const count = await file.read(chunk);
    if (count === null) return;
    yield chunk.subarray(0, count);
  }
}

if (import.meta.main) await runAsProgram(importFile);
