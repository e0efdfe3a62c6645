/** The columns and rows of tables, whose values are shorter than those of other formats. */
import { FILE_SET_FIELDS, RUN_FIELDS } from "../lib/fields.ts";
import { formatBytes, formatDuration } from "../lib/format.ts";
import type { FileSet, ReportRun } from "../lib/mod.ts";
import { durationOf } from "../lib/runs/times.ts";
import { claimedCount, countRecipients } from "../lib/runs/recipients.ts";

export const FILE_SET_TABLE = ["name", "owner", "permission", "files", "updated"];

/** The columns of a table of runs that are not fields of runs. */
export const RUN_TABLE_ONLY = ["started", "took", "people", "size"];

export const RUN_TABLE = ["started", "status", "took", "people", "size"];

export const RECIPIENT_TABLE = ["started", "status", "displayName", "emailAddress"];

export function fileSetTableRow(fileSet: FileSet): object {
  return { ...withShortTimes(fileSet, FILE_SET_FIELDS), files: fileSet.fileCount };
}

/** The row of a run, or of a run with one of its recipients. */
export function runTableRow(run: ReportRun): object {
  const took = durationOf(run);
  return {
    ...withShortTimes(run, RUN_FIELDS),
    started: run.startTime && shortTime(run.startTime),
    took: took === undefined ? undefined : formatDuration(took),
    people: peopleWords(run),
    size: run.emailSize == null ? undefined : formatBytes(run.emailSize),
  };
}

/** How many recipients are listed, and beside it the service's own number if it differs. */
function peopleWords(run: ReportRun) {
  const claimed = run.recipients ? claimedCount(run) : null;
  const count = countRecipients(run) ?? undefined;
  return claimed === null ? count : `${count} (claimed ${claimed})`;
}

function withShortTimes(
  row: object,
  fields: Readonly<Record<string, { readonly kind: string }>>,
): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      fields[name]?.kind === "date-time" && typeof value === "string" ? shortTime(value) : value,
    ]),
  );
}

/** A time in UTC without fractions of a second; one that names no zone is returned unchanged. */
function shortTime(text: string): string {
  const time = /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? text : `${new Date(time).toISOString().slice(0, 19)}Z`;
}
