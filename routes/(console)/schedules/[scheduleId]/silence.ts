import { scheduleHref } from "../../../../components/runs/run_links.tsx";
import { actionServices } from "../../../../server/actions/action_services.ts";
import { silenceSchedule } from "../../../../server/actions/silence_schedule.ts";
import { safeRedirectPath } from "../../../../server/http/paths.ts";
import { ProblemError } from "../../../../server/http/problem.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { clickActor, formActor } from "../../_actions.ts";
import { handler } from "./$silence.ts";

/** Unmutes or resumes a schedule, from any page that shows that it is silent. */
export const handlers = handler({
  async POST(ctx) {
    const scheduleId = requireScheduleId(ctx.params);
    const form = await readFormBody(ctx.req);
    const action = form.get("action");
    if (action !== "unmute" && action !== "resume") {
      throw new ProblemError(400, "action must be unmute or resume");
    }
    const actor = formActor(ctx.state, form) ?? clickActor(ctx.state, ctx.req.headers);
    const kind = action === "unmute" ? "unmute-schedule" : "resume-plan";
    await silenceSchedule(actionServices(ctx.state), { scheduleId, kind }, {
      actor,
      now: Date.now(),
    });
    return ctx.redirect(safeRedirectPath(form.get("next") ?? scheduleHref(scheduleId)), 303);
  },
});
