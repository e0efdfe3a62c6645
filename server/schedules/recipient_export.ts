/** All recipients of all runs of a schedule as a CSV stream. */
import type { Backend } from "../../lib/client/backend.ts";
import { csvStream, type RecipientRow, recipientRows } from "../../lib/export.ts";
import { RECIPIENT_FIELDS } from "../../lib/fields.ts";
import { maskAddress } from "../../lib/runs/mask.ts";
import { walkHistory } from "../../lib/client/walks/lists.ts";
import { primedRows } from "../backend/primed_rows.ts";

/**
 * The response has one row for each run and recipient. An error, or rows that change during the
 * download, interrupt it: an incomplete file must not look complete.
 *
 * @throws the service's error if it comes before the first row
 */
export async function recipientExport(
  backend: Backend,
  scheduleId: number,
  { addressesShown, signal, onError }: {
    readonly addressesShown: boolean;
    readonly signal: AbortSignal;
    /** Called with the error that interrupts the download. */
    readonly onError: (error: unknown) => void;
  },
): Promise<Response> {
  const runs = walkHistory(backend, scheduleId, { limit: 100, onDrift: "throw", signal });
  const rows = masked(recipientRows(await primedRows(runs, onError)), addressesShown);
  const columns = ["id", "startTime", "endTime", "status", "reportTitle"]
    .concat(Object.keys(RECIPIENT_FIELDS));
  return new Response(csvStream(rows, { columns }), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="schedule-${scheduleId}-recipients.csv"`,
    },
  });
}

async function* masked(
  rows: AsyncIterable<RecipientRow>,
  addressesShown: boolean,
): AsyncGenerator<RecipientRow> {
  for await (const row of rows) {
    yield addressesShown ? row : {
      ...row,
      displayName: row.displayName?.includes("@") ? maskAddress(row.displayName) : row.displayName,
      emailAddress: row.emailAddress && maskAddress(row.emailAddress),
    };
  }
}
