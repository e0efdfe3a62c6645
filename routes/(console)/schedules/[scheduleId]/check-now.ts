import { scheduleHref } from "../../../../components/runs/run_links.tsx";
import { checkNow } from "../../../../server/actions/known_schedules.ts";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { openForm } from "../../_actions.ts";
import { handler } from "./$check-now.ts";

export const handlers = handler({
  async POST(ctx) {
    const scheduleId = requireScheduleId(ctx.params);
    const { services, clicked, go } = await openForm(ctx);
    await checkNow(services, [scheduleId], clicked);
    return go(scheduleHref(scheduleId));
  },
});
