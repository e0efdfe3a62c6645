import { walkHistory } from "../../../../lib/client/walks/lists.ts";
import { recipientRows } from "../../../../lib/export.ts";
import { RECIPIENT_FIELDS } from "../../../../lib/fields.ts";
import { scheduleIdOf } from "../../../../server/http/schedule_id.ts";
import { downloadResponse, maskedUnlessShown } from "../../../_download.ts";
import { answerOrProblem } from "../../../_errors.ts";
import { handler } from "./$recipients.csv.ts";

const COLUMNS = ["id", "startTime", "endTime", "status", "reportTitle"]
  .concat(Object.keys(RECIPIENT_FIELDS));

/** Every run of a schedule as CSV, one row for each run and recipient. */
export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const scheduleId = scheduleIdOf(ctx.params);
      const rows = recipientRows(walkHistory(ctx.state.downloadBackend, scheduleId, {
        limit: 100,
        onDrift: "throw",
        signal: ctx.req.signal,
      }));
      return await downloadResponse(ctx, {
        subject: `schedule-${scheduleId}-recipients`,
        format: "csv",
        rows: maskedUnlessShown(ctx.url.searchParams, rows),
        columns: COLUMNS,
      });
    }),
});
