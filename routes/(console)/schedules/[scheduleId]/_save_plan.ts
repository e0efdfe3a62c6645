import { planHref } from "../../../../components/runs/plan/plan_form.tsx";
import { actionServices } from "../../../../server/actions/action_services.ts";
import { savePlan } from "../../../../server/actions/save_plan.ts";
import { isProblemError, ProblemError } from "../../../../server/http/problem.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { loadPlan, type Refusal, REFUSALS } from "../../../../server/pages/plan.ts";
import { planFieldsIn, readPlanFields } from "../../../../server/schedules/plan_fields.ts";
import { loadPage } from "../../../_errors.ts";
import { formActor, redirectWithNotice, rememberName } from "../../_actions.ts";
import type { HandlerContext } from "fresh/types";
import type { ConsoleState } from "../../_middleware.ts";

/** Saves the plan of the form, or returns to the inferred one. */
export async function confirmPlan(ctx: HandlerContext<{ scheduleId: string }, ConsoleState>) {
  const scheduleId = requireScheduleId(ctx.params);
  const form = await readFormBody(ctx.req);
  const now = Date.now();
  const actor = formActor(ctx.state, form);
  const refuse = async (refused: Refusal) => {
    const result = await loadPage(ctx, () => loadPlan(ctx, form, refused));
    return result.data.shown ? { ...result, status: REFUSALS[refused] } : result;
  };
  const action = form.get("action");
  if (action !== "infer" && action !== "confirm") {
    throw new ProblemError(400, "There is no such action");
  }
  let settings: Parameters<typeof savePlan>[1] = { plan: null };
  if (action === "confirm") {
    const { standing, preview, form: { issues } } = await loadPlan(ctx, form);
    const read = readPlanFields(planFieldsIn(form), now, standing?.plan);
    if (read.issues || Object.keys(issues).length > 0) return refuse("fields");
    if (preview?.fitsNone && !form.has("anyway")) return refuse("misfit");
    settings = { plan: { ...read.plan, confirmed: now }, pauses: read.pauses };
  }
  if (!actor) return refuse("name");
  const by = { scheduleId, actor, now, seen: form.get("seen") };
  try {
    await savePlan(actionServices(ctx.state), settings, by);
  } catch (error) {
    if (!isProblemError(error) || error.problem.status !== 409) throw error;
    return refuse("stale");
  }
  const notice = settings.plan ? "saved-plan" : "saved-inferred";
  const response = redirectWithNotice(ctx, planHref(scheduleId), notice);
  return rememberName(response, form, ctx.state.origin);
}
