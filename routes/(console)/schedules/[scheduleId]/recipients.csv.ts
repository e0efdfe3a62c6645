import { recipientExport } from "../../../../server/schedules/recipient_export.ts";
import { logInterruptedDownload } from "../../../../server/log/log_problem.ts";
import { answerOrProblem } from "../../../_errors.ts";
import { scheduleIdOf } from "../../../../server/http/schedule_id.ts";
import { handler } from "./$recipients.csv.ts";

/** Every run of a schedule as CSV, one row for each run and recipient. */
export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const { downloadBackend, log } = ctx.state;
      const { signal } = ctx.req;
      return await recipientExport(downloadBackend, scheduleIdOf(ctx.params), {
        addressesShown: ctx.url.searchParams.get("addresses") === "shown",
        signal,
        onError: (error) => logInterruptedDownload(log, error, signal),
      });
    }),
});
