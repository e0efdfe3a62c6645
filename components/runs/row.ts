import type { ReportRun } from "../../lib/types.ts";

/** What tables and filters need; whatever else a service sends may hold anything. */
const FIELDS = [
  "id",
  "status",
  "startTime",
  "endTime",
  "automated",
  "reportTitle",
  "reportSubject",
  "resourceName",
  "cardCount",
  "attachmentCount",
  "attachmentSize",
  "emailSize",
  "recipientCount",
] as const;

/** A run as tables and filters have it: who received it by user id alone. */
export interface RunRow extends Pick<ReportRun, typeof FIELDS[number]> {
  readonly recipients?: readonly RowRecipient[] | null;
}

interface RowRecipient {
  readonly userId?: number | null;
}

/** Leaves names and addresses on the server: what an island gets stands in the page's source. */
export function runRow(run: ReportRun): RunRow {
  const row: Record<string, unknown> = {};
  for (const field of FIELDS) if (field in run) row[field] = run[field];
  if (run.recipients) row.recipients = run.recipients.map(({ userId }) => ({ userId }));
  return row as unknown as RunRow;
}

/** Many rows for the wire: runs that were sent to the same people share one list of them. */
export interface PackedRows {
  readonly rows: readonly RunRow[];
  readonly lists: readonly (readonly RowRecipient[])[];
  /** The list of each row; -1 where it has none. */
  readonly listOf: readonly number[];
}

/** Packs runs for the wire. */
export function packRows(runs: readonly ReportRun[]): PackedRows {
  const places = new Map<string, number>();
  const lists: (readonly RowRecipient[])[] = [];
  const rows: RunRow[] = [];
  const listOf = runs.map((run) => {
    const { recipients, ...row } = runRow(run);
    rows.push(row);
    if (!recipients) return -1;
    const key = JSON.stringify(recipients.map(({ userId }) => userId ?? null));
    const place = places.get(key) ?? lists.push(recipients) - 1;
    places.set(key, place);
    return place;
  });
  return { rows, lists, listOf };
}

/** The rows as they were packed. */
export function unpackRows({ rows, lists, listOf }: PackedRows): RunRow[] {
  return rows.map((row, at) =>
    listOf[at] < 0 ? row : Object.assign(row, { recipients: lists[listOf[at]] })
  );
}

/** What started a run, in words; undefined where the service does not say. */
export function triggerWords(automated: boolean | null | undefined): string | undefined {
  if (automated === true) return "automated";
  if (automated === false) return "by hand";
}
