import { scheduleHref } from "../../../../components/runs/run_links.tsx";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { recordsOf } from "../../incidents/_incidents.ts";
import { handler } from "./$check-now.ts";

export const handlers = handler({
  async POST(ctx) {
    const scheduleId = requireScheduleId(ctx.params);
    await recordsOf(ctx.state.services).polls.makeDue(scheduleId, Date.now());
    return ctx.redirect(scheduleHref(scheduleId), 303);
  },
});
