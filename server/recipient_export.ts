/** All recipients of all runs of a schedule, streamed as a file. */
import type { Backend } from "../lib/backend.ts";
import { csvStream, recipientColumns, type RecipientRow, recipientRows } from "../lib/export.ts";
import { maskAddress } from "../lib/runs/mask.ts";
import type { ReportRun } from "../lib/types.ts";
import { walkHistory } from "../lib/walks.ts";

/**
 * Answers with one row for each run and recipient. A fault or a change of the rows meanwhile breaks
 * the download off: a short file must never look whole.
 *
 * @throws what the service fails with before the first row
 */
export async function recipientExport(
  backend: Backend,
  scheduleId: number,
  { addressesShown, signal }: { readonly addressesShown: boolean; readonly signal: AbortSignal },
): Promise<Response> {
  const runs = walkHistory(backend, scheduleId, { limit: 250, onDrift: "throw", signal });
  const rows = masked(recipientRows(await begun(runs)), addressesShown);
  const columns = ["id", "startTime", "endTime", "status", "reportTitle"]
    .concat(recipientColumns().filter((name) => /^(userId|displayName|emailAddress)$/.test(name)));
  return new Response(csvStream(rows, { columns }), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="schedule-${scheduleId}-recipients.csv"`,
    },
  });
}

/** Waits for the first run, so that a refusal is an answer of its own and not a broken file. */
async function begun(runs: AsyncIterable<ReportRun>): Promise<AsyncIterable<ReportRun>> {
  const iterator = runs[Symbol.asyncIterator]();
  const first = await iterator.next();
  return {
    async *[Symbol.asyncIterator]() {
      try {
        if (first.done) return;
        yield first.value;
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          yield next.value;
        }
      } finally {
        await iterator.return?.();
      }
    },
  };
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
