import type { Pause } from "../../../../lib/judgement/slots.ts";
import { planHref } from "../../../../components/runs/plan/plan_form.tsx";
import { ProblemError } from "../../../../server/http/problem.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { loadPlan, type Refusal, REFUSALS } from "../../../../server/pages/plan.ts";
import { planFieldsIn, readPlanFields } from "../../../../server/schedules/plan_fields.ts";
import { planSummary, planVersion } from "../../../../server/schedules/saved_plan.ts";
import type { ObserverRecords } from "../../../../server/store/records/observer_records.ts";
import type { ConfirmedPlan, StoredWatch } from "../../../../server/store/records/watches.ts";
import { type WatchAction, watchEvent } from "../../../../server/store/records/events.ts";
import { loadPage } from "../../../_errors.ts";
import { formActor, redirectWithNotice, rememberName } from "../../_actions.ts";
import { recordsOf } from "../../incidents/_incidents.ts";
import type { HandlerContext } from "fresh/types";
import type { ConsoleState } from "../../_middleware.ts";

/** Saves the plan of the form, or returns to the inferred one. */
export async function confirmPlan(ctx: HandlerContext<{ scheduleId: string }, ConsoleState>) {
  const scheduleId = requireScheduleId(ctx.params);
  const form = await readFormBody(ctx.req);
  const records = recordsOf(ctx.state.services);
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
  if (!await savePlan(records, settings, by)) return refuse("stale");
  const notice = settings.plan ? "saved-plan" : "saved-inferred";
  const response = redirectWithNotice(ctx, planHref(scheduleId), notice);
  return rememberName(response, form, ctx.state.origin);
}

/**
 * Saves a confirmed plan and watches the schedule, or returns to the inferred plan. Returns false if
 * somebody else has saved a plan meanwhile.
 */
export async function savePlan(
  { watches }: ObserverRecords,
  settings: { readonly plan: ConfirmedPlan | null; readonly pauses?: readonly Pause[] },
  { seen, ...by }: WatchAction & {
    /** The version that the form showed; null if unknown. */
    readonly seen: string | null;
  },
): Promise<boolean> {
  const { scheduleId, now } = by;
  const { plan, pauses = [] } = settings;
  const done = plan
    ? watchEvent("plan confirmed", by, { note: planSummary({ plan, pauses }) })
    : watchEvent("plan left to Docket", by);
  if (plan) {
    const added = await watches.add([scheduleId], now, settings, () => [done]);
    if (added.length > 0) return true;
  }
  const change = (watch: StoredWatch) => seen && seen !== planVersion(watch) ? null : settings;
  return await watches.change(scheduleId, change, now, [done]);
}
