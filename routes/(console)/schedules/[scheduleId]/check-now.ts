import { scheduleHref } from "../../../../components/runs/run_links.tsx";
import { actionServices } from "../../../../server/actions/action_services.ts";
import { checkNow } from "../../../../server/actions/known_schedules.ts";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { clickActor } from "../../_actions.ts";
import { handler } from "./$check-now.ts";

export const handlers = handler({
  async POST(ctx) {
    const scheduleId = requireScheduleId(ctx.params);
    const acting = { actor: clickActor(ctx.state, ctx.req.headers), now: Date.now() };
    await checkNow(actionServices(ctx.state), [scheduleId], acting);
    return ctx.redirect(scheduleHref(scheduleId), 303);
  },
});
