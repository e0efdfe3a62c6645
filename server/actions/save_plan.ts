/** Confirms plans. */
import type { Pause } from "../../lib/judgement/slots.ts";
import { ProblemError } from "../http/problem.ts";
import { planSummary, planVersion } from "../schedules/plan_fields.ts";
import { type WatchAction, watchEvent } from "../store/records/events.ts";
import type { ConfirmedPlan, KnownSchedule } from "../store/records/watches.ts";
import type { ActionServices } from "./action_services.ts";

/**
 * Saves a confirmed plan and watches the schedule, or with null returns to the inferred plan.
 *
 * @throws {ProblemError} With status 409 if somebody else has saved a plan meanwhile
 */
export async function savePlan(
  { records: { watches } }: Pick<ActionServices, "records">,
  settings: { readonly plan: ConfirmedPlan | null; readonly pauses?: readonly Pause[] },
  { seen, ...by }: WatchAction & {
    /** The version that the form showed; null if unknown. */
    readonly seen: string | null;
  },
): Promise<void> {
  const { scheduleId, now } = by;
  const { plan, pauses = [] } = settings;
  const done = plan
    ? watchEvent("plan confirmed", by, { note: planSummary({ plan, pauses }) })
    : watchEvent("plan left to Docket", by);
  const change = (watch: KnownSchedule) => seen && seen !== planVersion(watch) ? null : settings;
  // One that is not watched may have a saved plan too.
  const known = (await watches.known([scheduleId])).get(scheduleId);
  if (plan && (!known || change(known))) {
    const added = await watches.add([scheduleId], now, settings, [done]);
    if (added.length > 0) return;
  }
  if (await watches.change(scheduleId, change, now, [done])) return;
  throw new ProblemError(409, "Somebody else has saved a plan meanwhile");
}
