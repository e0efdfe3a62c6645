/** Rows of tables, whose values are shorter than those of other formats. */
import { formatBytes, formatDuration } from "../lib/format.ts";
import type { FileSet, ReportRun } from "../lib/mod.ts";
import { claimedCount, countRecipients } from "../lib/runs/recipients.ts";
import { durationOf } from "../lib/runs/times.ts";

export const FILE_SET_TABLE = ["name", "owner", "permission", "files", "updated"];

export const RUN_TABLE = ["started", "status", "took", "people", "size"];

export const RECIPIENT_TABLE = ["started", "status", "displayName", "emailAddress"];

export function fileSetTableRow(fileSet: FileSet): object {
  return { ...fileSet, name: fileSet.name || fileSet.id, files: fileSet.fileCount };
}

/** The row of a run, or of a run with one of its recipients. */
export function runTableRow(run: ReportRun): object {
  const took = durationOf(run);
  return {
    ...run,
    started: run.startTime,
    took: took === undefined ? undefined : formatDuration(took),
    people: recipientWords(run),
    size: run.emailSize == null ? undefined : formatBytes(run.emailSize),
  };
}

/** How many recipients are listed, and beside it the service's own number if it differs. */
function recipientWords(run: ReportRun) {
  const claimed = run.recipients ? claimedCount(run) : null;
  const count = countRecipients(run) ?? undefined;
  return claimed === null ? count : `${count} (claimed ${claimed})`;
}
