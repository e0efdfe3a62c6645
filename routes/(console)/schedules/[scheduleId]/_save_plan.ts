import type { Actor } from "../../../../lib/judgement/actor.ts";
import type { Pause } from "../../../../lib/judgement/slots.ts";
import { ProblemError } from "../../../../server/http/problem.ts";
import { planSummary, planVersion } from "../../../../server/schedules/saved_plan.ts";
import type { ObserverRecords } from "../../../../server/store/records/observer_records.ts";
import type { ConfirmedPlan, StoredWatch } from "../../../../server/store/records/watches.ts";
import { type WatchAction, watchEvent } from "../../../../server/store/records/events.ts";
import { NAME_MISSING } from "../../_actions.ts";

export const REFUSALS = { fields: 400, name: 400, stale: 409 } as const;
export type Refusal = keyof typeof REFUSALS;

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

/** The most marks that are stored; the oldest are dropped first. */
const MAX_MARKS = 500;

export async function markIncident(
  { watches }: ObserverRecords,
  form: URLSearchParams,
  { actor, ...by }: Omit<WatchAction, "actor"> & { readonly actor: Actor | null },
): Promise<void> {
  const key = form.get("mark") ?? form.get("unmark")!;
  if (!/^[a-z-]{1,40}-\d{1,16}$/.test(key)) {
    throw new ProblemError(400, "mark and unmark must be the key of an incident");
  }
  if (!actor) throw new ProblemError(400, NAME_MISSING);
  const isFalse = form.has("mark");
  const change = ({ falseIncidents }: StoredWatch) => {
    const others = falseIncidents.filter((other) => other !== key);
    return { falseIncidents: isFalse ? [...others, key].slice(-MAX_MARKS) : others };
  };
  const kind = isFalse ? "incident marked as false" : "incident no longer marked";
  const done = watchEvent(kind, { ...by, actor }, { note: key });
  if (!await watches.change(by.scheduleId, change, by.now, [done])) {
    throw new ProblemError(409, "The schedule is not watched, so nothing can be marked");
  }
}
