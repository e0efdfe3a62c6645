/** The commands that list file sets and runs. */
import { createOwnMatching, matchingText, type OwnMatching } from "../lib/client/own_matching.ts";
import { walkFileSets } from "../lib/client/walks/lists.ts";
import { recipientRows } from "../lib/export.ts";
import { fileSetColumns, recipientColumns, runColumns } from "../lib/fields.ts";
import { formatBytes, formatCount, formatDuration } from "../lib/format.ts";
import {
  type Client,
  createClient,
  type FileSet,
  type ReportRun,
  type SearchBody,
  type Walk,
  type WalkOptions,
  type WalkReport,
} from "../lib/mod.ts";
import { claimedCount, countRecipients } from "../lib/runs/recipients.ts";
import { durationOf } from "../lib/runs/times.ts";
import { FILE_SET_QUERY, nothingHint, queryField } from "../lib/search/query_table.ts";
import { command, count, ExitCode, flag, type Invocation, text } from "./command.ts";
import type { Io } from "./io.ts";
import { createProgress, describeWalk, interruptible } from "./progress.ts";
import { QUERY_ZONE, readColumns, readId, readQuery } from "./values.ts";
import { chosenFormat, FORMAT, type TableSpec, writeRows } from "./writer.ts";

/** How many rows are listed without `--all` or `--limit`, and how many a page has at most. */
const USUAL_ROWS = 100;
const MAX_PAGE = 1000;

const LISTING = {
  limit: count(`write at most N rows (default ${USUAL_ROWS})`, 1),
  all: flag("write all rows"),
  columns: text("A,B", "the fields to write (default: all, but few in a table)"),
  format: FORMAT,
};

const FILE_SET_TABLE = ["name", "owner", "permission", "files", "updated"];
const RUN_TABLE = ["started", "status", "took", "people", "size"];
const RECIPIENT_TABLE = ["started", "status", "displayName", "emailAddress"];

export const fileSets = command({
  arguments: "[QUERY]",
  use: "search file sets",
  takesQuery: true,
  options: { zone: QUERY_ZONE, ...LISTING },
  notes: `
A QUERY is what you type in the console's search, in quotes. All its parts must
match:
  payroll, "annual payroll"          the name contains it
  owner:Finance,Legal                the field has one of the values
  owner:~fin                         the field contains it
  files:>100, files:10..20           numbers
  updated:last-month, created:2026   dates, in the days of --zone
  no:description                     the field has no value
  -permission:READ                   a hyphen negates
  sort:-updated,name                 sort keys, descending with a hyphen

Example:
  docket filesets 'owner:Legal -permission:READ' --all --format csv > sets.csv
`,
  run(call) {
    const { values, words } = call;
    const body = readQuery(words, values.zone);
    let matching: OwnMatching | undefined;
    const format = chosenFormat(values);
    const all = fileSetColumns();
    const chosen = readColumns(values.columns, all, { fieldOf: fieldName, mayHaveMore: true });
    return list(call, {
      noun: "file set",
      format,
      columns: chosen ?? (format === "table" ? FILE_SET_TABLE : all),
      isChosen: chosen !== undefined,
      none: nothingText(body),
      toRows: (row: FileSet) => [format === "table" ? fileSetTableRow(row) : row],
      walk: (client, limit, options) => {
        const { fileSets } = createOwnMatching()(client, "");
        const search: typeof fileSets.search = async (...args) => {
          const found = await fileSets.search(...args);
          matching = found.matching;
          return found;
        };
        return walkFileSets({ ...client, fileSets: { search } }, body, { limit, ...options });
      },
      note: () => matching && matchingText(matching),
    });
  },
});

export const history = command({
  arguments: "ID",
  use: "list the runs of a report schedule",
  options: {
    recipients: flag("one row for each recipient instead of each run"),
    ...LISTING,
  },
  notes: `
Example:
  docket history 101 --all --recipients --format csv > recipients.csv
`,
  run(call) {
    const { values: { recipients, ...values }, words } = call;
    const scheduleId = readId(words);
    const format = chosenFormat(values);
    const isTable = format === "table";
    const usual = recipients ? recipientColumns() : runColumns();
    const more = recipients ? runColumns() : ["recipients"];
    const known = [...usual, ...more, "scheduleId", ...(isTable ? RUN_TABLE : [])];
    const chosen = readColumns(values.columns, known);
    return list(call, {
      noun: "run",
      format,
      columns: chosen ?? (!isTable ? usual : recipients ? RECIPIENT_TABLE : RUN_TABLE),
      isChosen: chosen !== undefined,
      none: "No runs",
      toRows: (run: ReportRun) =>
        // Imports need the schedule's id, which the interface's runs lack.
        (recipients ? recipientRows(run) : [run]).map((each) => ({ scheduleId, ...each }))
          .map((row) => isTable ? runTableRow(row) : row),
      walk: (client, limit, options) =>
        client.reportSchedules.history(scheduleId, { limit }).walk(options),
    });
  },
});

interface Listing<Row> extends TableSpec {
  readonly noun: "file set" | "run";
  readonly none: string;
  readonly toRows: (row: Row) => object[];
  readonly walk: (client: Client, pageLimit: number, options: WalkOptions) => Walk<unknown, Row>;
  /** Says afterwards what Docket filtered and sorted itself, if anything. */
  readonly note?: () => string | undefined;
}

async function list<Row>(
  { values: { all, limit = all ? Infinity : USUAL_ROWS }, io, connect }: Invocation<typeof LISTING>,
  listing: Listing<Row>,
): Promise<number> {
  const { noun, format, none, toRows } = listing;
  const progress = createProgress(io);
  const client = createClient(connect());
  const pageLimit = limit === Infinity ? USUAL_ROWS : Math.min(limit, MAX_PAGE);
  return await interruptible(io, async (signal) => {
    const walk = listing.walk(client, pageLimit, { prefetch: all ? 4 : 1, signal });
    let rows = 0;
    let isMore = false;
    const shapes = async function* () {
      try {
        for await (const row of walk) {
          // One row more than wanted shows that there are more.
          isMore = rows === limit;
          if (isMore) return;
          rows++;
          yield* toRows(row);
          isMore = rows === limit && (walk.report.total ?? 0) > rows;
          if (isMore) return;
        }
      } finally {
        await progress.stop();
      }
    };
    progress.start(() => describeWalk(walk.report));
    await writeRows(shapes(), listing, io);
    const note = listing.note?.();
    if (note) await io.err.write(`${note}\n`);
    if (rows === 0 && (format === "table" || io.err.isTerminal)) {
      await io.err.write(`${none}\n`);
    }
    if (!isMore) return await printDrift(walk.report, io);
    const { total = 0 } = walk.report;
    // A total below the number of rows is wrong.
    const [of, more] = total > rows
      ? [` of ${formatCount(total)}`, ""]
      : ["", ", and there are more"];
    const counted = of === "" && rows === 1 ? noun : `${noun}s`;
    await io.err.write(`${formatCount(rows)}${of} ${counted}${more}; --all writes every one\n`);
    return ExitCode.done;
  });
}

/** Reports how rows changed while they were read, and returns the exit code. */
export async function printDrift({ drift, driftCount }: WalkReport, io: Io): Promise<number> {
  if (driftCount === 0) return ExitCode.done;
  const kinds = new Set<string>();
  for (const entry of drift) {
    if (entry.kind !== "contradiction") kinds.add(entry.kind);
    else {
      const { claim, claimed, seen } = entry;
      await io.err.write(`The service says ${claim} ${claimed}, but its rows say ${seen}\n`);
    }
  }
  if (kinds.size > 0) {
    await io.err.write(`Some rows may be missing or listed twice: ${[...kinds].join(", ")}\n`);
  }
  return ExitCode.incomplete;
}

function nothingText({ filters = [], dateFilters = [] }: SearchBody): string {
  if (filters.length + dateFilters.length === 0) return "There are no file sets yet";
  return `No file sets match. ${nothingHint(filters, FILE_SET_QUERY)}`.trim();
}

/** The interface's name of a field, given that or its name in queries, such as `files`. */
function fieldName(name: string): string {
  const field = queryField(FILE_SET_QUERY, name);
  return field && FILE_SET_QUERY.fields[field].name === name ? field : name;
}

function fileSetTableRow(fileSet: FileSet): object {
  return { ...fileSet, name: fileSet.name || fileSet.id, files: fileSet.fileCount };
}

function runTableRow(run: ReportRun): object {
  const took = durationOf(run);
  const claimed = run.recipients ? claimedCount(run) : null;
  const count = countRecipients(run) ?? undefined;
  return {
    ...run,
    started: run.startTime,
    took: took === undefined ? undefined : formatDuration(took),
    // The service's own number stands beside it if it differs.
    people: claimed === null ? count : `${count} (claimed ${claimed})`,
    size: run.emailSize == null ? undefined : formatBytes(run.emailSize),
  };
}
