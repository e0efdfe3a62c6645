import { scheduleHref } from "../../../../components/runs/run_links.tsx";
import { silenceSchedule } from "../../../../server/actions/silence_schedule.ts";
import { ProblemError } from "../../../../server/http/problem.ts";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { openForm } from "../../_actions.ts";
import { handler } from "./$silence.ts";

/** Unmutes or resumes a schedule, from any page that shows that it is silent. */
export const handlers = handler({
  async POST(ctx) {
    const scheduleId = requireScheduleId(ctx.params);
    const { form, services, clicked, next, go } = await openForm(ctx);
    const action = form.get("action");
    if (action !== "unmute" && action !== "resume") {
      throw new ProblemError(400, "action must be unmute or resume");
    }
    const kind = action === "unmute" ? "unmute-schedule" : "resume-plan";
    await silenceSchedule(services, { scheduleId, kind }, clicked);
    return go(next(scheduleHref(scheduleId)), kind);
  },
});
