import { scheduleHref } from "../../../../components/runs/run_links.tsx";
import { safeRedirectPath } from "../../../../server/http/paths.ts";
import { ProblemError } from "../../../../server/http/problem.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { clickActor, formActor } from "../../_actions.ts";
import { changeSchedule } from "../../incidents/_act.ts";
import { recordsOf } from "../../incidents/_incidents.ts";
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
    const isDone = await changeSchedule(
      recordsOf(ctx.state.services),
      action === "unmute" ? "unmute-schedule" : "resume-plan",
      { scheduleId, actor, now: Date.now() },
    );
    if (!isDone) throw new ProblemError(409, `Schedule ${scheduleId} is no longer watched`);
    return ctx.redirect(safeRedirectPath(form.get("next") ?? scheduleHref(scheduleId)), 303);
  },
});
