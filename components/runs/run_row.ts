import type { ReportRun } from "../../lib/types.ts";

/** The fields that tables and filters need. Other fields may hold anything, so they are left out. */
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

/** A run as tables and filters use it. Recipients are user ids only. */
export interface RunRow extends Pick<ReportRun, typeof FIELDS[number]> {
  readonly recipients?: readonly RowRecipient[] | null;
}

interface RowRecipient {
  readonly userId?: number | null;
}

/** A run without names and addresses: an island's props are visible in the page's source. */
export function runRow(run: ReportRun): RunRow {
  const row: Record<string, unknown> = {};
  for (const field of FIELDS) if (field in run) row[field] = run[field];
  if (run.recipients) row.recipients = run.recipients.map(({ userId }) => ({ userId }));
  return row as unknown as RunRow;
}

/** Rows as they are sent to the browser. Runs with the same recipients share one list. */
export interface PackedRows {
  readonly rows: readonly RunRow[];
  readonly lists: readonly (readonly RowRecipient[])[];
  /** Index of the list of each row; -1 for none. */
  readonly listOf: readonly number[];
}

/** Packs runs to be sent to the browser. */
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

/** Unpacks rows in the browser. */
export function unpackRows({ rows, lists, listOf }: PackedRows): RunRow[] {
  return rows.map((row, at) =>
    listOf[at] < 0 ? row : Object.assign(row, { recipients: lists[listOf[at]] })
  );
}

/** What triggered a run; undefined where the service does not say. */
export function triggerLabel(automated: boolean | null | undefined): string | undefined {
  if (automated === true) return "automated";
  if (automated === false) return "manual";
}
