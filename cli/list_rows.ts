/** How the rows of a list are requested and shown. */
import type { Client, FileSet, FileSetPage, ReportRun, Result } from "../lib/mod.ts";
import { recipientRows } from "../lib/export.ts";
import { FILE_SET_QUERY, nothingHint } from "../lib/search/query_table.ts";
import type { Io } from "./io.ts";
import type { ListWords } from "./list_words.ts";
import { fileSetTableRow, runTableRow } from "./table_rows.ts";

export function resultOf(
  { subject, limit, skipped }: ListWords,
  client: Client,
): Result<FileSetPage, FileSet> | Result<readonly ReportRun[], ReportRun> {
  return "body" in subject
    ? client.fileSets.search(subject.body, { limit, offset: skipped })
    : client.reportSchedules.history(subject.scheduleId, { limit, skip: skipped });
}

/** The rows to write: runs with the id of their schedule, or one for each recipient. */
export async function* shaped(
  { format, subject }: ListWords,
  rows: Iterable<object>,
): AsyncIterable<object> {
  const isTable = format === "table";
  if ("body" in subject) {
    for (const row of rows) yield isTable ? fileSetTableRow(row as FileSet) : row;
    return;
  }
  const runs = rows as Iterable<ReportRun>;
  // The interface's own entries lack it, and imports need it.
  const { recipients, scheduleId } = subject;
  for await (const run of recipients ? recipientRows(runs) : runs) {
    const row = recipients ? run : { scheduleId, ...run };
    yield isTable ? runTableRow(row) : row;
  }
}

export function whatOf({ subject }: ListWords): string {
  return "body" in subject ? "file sets" : "runs";
}

/** Says that nothing was found, if the output is for a person. */
export async function printEmpty(words: ListWords, io: Io): Promise<void> {
  if (words.format === "table" || io.err.isTerminal) await io.err.write(`${emptyText(words)}\n`);
}

function emptyText({ subject, skipped, ...words }: ListWords): string {
  if (skipped) return `No ${whatOf({ subject, skipped, ...words })} after the first ${skipped}`;
  if (!("body" in subject)) return "No runs";
  const { filters = [], dateFilters = [] } = subject.body;
  if (filters.length + dateFilters.length === 0) return "There are no file sets yet";
  return `No file sets match. ${nothingHint(filters, FILE_SET_QUERY)}`.trim();
}
