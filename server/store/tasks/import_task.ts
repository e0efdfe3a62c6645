/** `deno task import`: puts file sets and runs from a file or standard input into the database. */
import { CsvError } from "../import/csv_rows.ts";
import { formatRowCounts, importValues, readMap } from "../import/import_values.ts";
import { type CsvFileOptions, DATE_ORDERS, splitFile } from "../import/file_values.ts";
import {
  type Arguments,
  embeddedServiceSettings,
  openStoreForTask,
  readCount,
  type Task,
  type TaskContext,
  TaskError,
} from "./task.ts";

const HELP = `Puts file sets and runs into the embedded service's database.

deno task import [--schedule ID] [--map MAP] [--dates ORDER] [FILE]

  FILE           NDJSON, JSON or CSV, as exported by Docket or returned by the
                 interface, or as a spreadsheet writes it; see docs/import.md.
                 By default standard input
  --schedule ID  the schedule of runs without a schedule id
  --map MAP      what columns with other names are, such as
                 "Report ID=scheduleId,Sent at=startTime,Comment=", where
                 Comment is left out
  --dates ORDER  day-first or month-first: the order of 03.04.2026

A row with the same id is replaced; for runs, the schedule is part of the id.
So you can run an interrupted import again. If entries have the same id, the
last one is imported, and each repetition is reported. Entries that can't be
imported are reported with their line, and all others are imported. JSON
documents and CSV are read as a whole: for millions of rows, use NDJSON.

Exit code 0: all entries were imported; 1: some were not, or the database can't
be used; 2: an argument or a setting is wrong, or the file is empty.`;

const MAX_REPORTED = 100;

export const importFile: Task = { help: HELP, options: ["schedule", "map", "dates"], rest: 1, run };

async function run({ options, rest }: Arguments, context: TaskContext): Promise<number> {
  const { schedule } = options;
  const scheduleId = schedule === undefined ? undefined : readCount("schedule", schedule);
  const settings = embeddedServiceSettings(context);
  const dates = readDateOrder(options.dates);
  using file = await openFile(rest[0]);
  await using store = await openStoreForTask(settings, context);
  const hasSample = await store.contents() === "sample";
  const isRemoved = hasSample && context.confirm?.(QUESTION) === true;
  try {
    const { serviceZone: zone } = settings;
    const csv = { map: readMap(options.map), dates, zone };
    let issues = 0;
    const values = splitFile((file ?? Deno.stdin).readable, csv);
    const counts = await importValues(store, values, {
      scheduleId,
      zone,
      beforeFirst: isRemoved ? store.clearWithRecords : undefined,
      onBatch: (counts) => context.report(formatRowCounts(counts)),
      onIssue(location, issue) {
        if (++issues <= MAX_REPORTED) context.report(`${location}: ${issue}`);
        else if (issues === MAX_REPORTED + 1) context.report("Further issues are not reported");
      },
    });
    context.print(formatRowCounts(counts));
    if (hasSample && !isRemoved) context.report(KEPT);
    if (counts.rejected === counts.read) {
      context.report(
        "Nothing was imported: docs/import.md says what a file set and a run must have",
      );
    }
    return counts.rejected > 0 ? 1 : 0;
  } catch (error) {
    throw error instanceof CsvError ? new TaskError(error.message) : error;
  }
}

const KEPT = "The sample data is still there, beside this. To remove it, run " +
  "deno task seed --file-sets 0 --schedules 0, and then this import again";

const QUESTION = "Remove the sample data first, with its watches and incidents?";

function readDateOrder(text: string | undefined): CsvFileOptions["dates"] {
  const order = DATE_ORDERS.find((each) => each === text);
  if (text === undefined || order) return order;
  throw new TaskError(`--dates must be day-first or month-first, not "${text}"`);
}

async function openFile(path: string | undefined): Promise<Deno.FsFile | null> {
  if (path === undefined) return null;
  try {
    if ((await Deno.stat(path)).isDirectory) throw new Error("it is a folder");
    return await Deno.open(path);
  } catch (error) {
    throw new TaskError(`"${path}" can't be read: ${(error as Error).message}`);
  }
}
