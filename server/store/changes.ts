/** What is put into the embedded service's database, and what became of it. */
import type { FileSet, ReportRun } from "../../lib/types.ts";

/** Rows to put in one transaction; a row with the same key is replaced. */
export interface Changes {
  /** File sets; the key is the id. */
  readonly fileSets?: readonly FileSet[];
  /** Schedules that exist, also without any run. */
  readonly schedules?: readonly number[];
  /** Runs; the key is schedule and id. Schedules that don't exist yet are added. */
  readonly runs?: readonly { readonly scheduleId: number; readonly run: ReportRun }[];
  /** Schedules that an import makes known, without watching them; known ones keep their settings. */
  readonly known?: readonly number[];
  /** Texts about the data by name, such as whether they are samples; null removes one. */
  readonly metadata?: Readonly<Record<string, string | null>>;
}

export type Batches = Iterable<Changes> | AsyncIterable<Changes>;

export interface ChangedRows {
  /** Rows that were not there before. */
  readonly added: number;
  /** Rows that were there with other values. */
  readonly changed: number;
}

export interface RowCounts extends ChangedRows {
  readonly read: number;
  readonly rejected: number;
}

export function formatRowCounts({ read, added, changed, rejected }: RowCounts): string {
  const same = read - added - changed - rejected;
  return `${read} read: ${added} new, ${changed} changed, ${same} unchanged, ${rejected} rejected`;
}
