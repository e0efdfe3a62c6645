import type { ReportRun } from "../../lib/types.ts";
import { type PackedRows, packRows, unpackRows } from "../ui/packed_rows.ts";

/** The fields of the table of runs. */
const TABLE_FIELDS = [
  "id",
  "status",
  "startTime",
  "endTime",
  "automated",
  "reportTitle",
  "cardCount",
  "attachmentCount",
  "attachmentSize",
  "emailSize",
  "recipientCount",
] as const;

/** The fields of the table and the filter. Others may hold anything, so they are left out. */
const FIELDS = [...TABLE_FIELDS, "reportSubject", "resourceName"] as const;

/** A run as the table and the filter use it. Recipients are user ids only. */
export interface RunRow extends Pick<ReportRun, typeof FIELDS[number]> {
  readonly recipients?: readonly { readonly userId?: number | null }[] | null;
}

/** The rows of the table, as props of an island. */
export function packTable(runs: readonly ReportRun[]): PackedRows<RunRow> {
  return packRows<RunRow>(runs as readonly RunRow[], TABLE_FIELDS);
}

/** Runs as they are sent to the browser. Runs with the same recipients share one list. */
export interface PackedRuns {
  readonly rows: PackedRows<RunRow>;
  readonly lists: readonly (readonly (number | null)[])[];
  /** Index of the list of each row; -1 for none. */
  readonly listOf: readonly number[];
}

/** Packs runs for the browser, without names and addresses: anyone can read a page's source. */
export function packRuns(runs: readonly ReportRun[]): PackedRuns {
  const indexes = new Map<string, number>();
  const lists: (readonly (number | null)[])[] = [];
  const listOf = runs.map(({ recipients }) => {
    if (!recipients) return -1;
    const ids = recipients.map(({ userId }) => userId ?? null);
    const key = JSON.stringify(ids);
    const index = indexes.get(key) ?? lists.push(ids) - 1;
    indexes.set(key, index);
    return index;
  });
  return { rows: packRows<RunRow>(runs as readonly RunRow[], FIELDS), lists, listOf };
}

/** Unpacks runs in the browser. */
export function unpackRuns({ rows, lists, listOf }: PackedRuns): RunRow[] {
  const recipients = lists.map((ids) => ids.map((userId) => ({ userId })));
  return unpackRows(rows).map((row, index) =>
    listOf[index] < 0 ? row : { ...row, recipients: recipients[listOf[index]] }
  );
}

/** What triggered a run; undefined where the service does not say. */
export function triggerLabel(automated: boolean | null | undefined): string | undefined {
  if (automated === true) return "automated";
  if (automated === false) return "manual";
}
