import { recipientExport } from "../../../../server/recipient_export.ts";
import { logCutOff } from "../../../../server/log_problem.ts";
import { ProblemError } from "../../../../server/problem.ts";
import { problemAnswer } from "../../../_trouble.ts";
import { readScheduleId } from "../../../_schedule_id.ts";
import { handler } from "./$recipients.csv.ts";

/** Every run of a schedule as CSV, one row for each run and recipient. */
export const handlers = handler({
  async GET(ctx) {
    const { services, requestId } = ctx.state;
    const { signal } = ctx.req;
    try {
      const scheduleId = readScheduleId(ctx.params.scheduleId);
      if (scheduleId === null) throw new ProblemError(404, "A schedule id is a whole number");
      return await recipientExport(ctx.state.downloadBackend, scheduleId, {
        addressesShown: ctx.url.searchParams.get("addresses") === "shown",
        signal,
        onFault: (error) => logCutOff(services.log, error, { requestId, signal }),
      });
    } catch (error) {
      return problemAnswer(error, ctx.req, ctx.state);
    }
  },
});
