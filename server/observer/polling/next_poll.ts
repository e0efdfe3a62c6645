/** Decides when to poll a schedule next. */
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { graceEndsOf, type Plan, planSlots } from "../../../lib/judgement/plans/plan.ts";

/** The time between polls while all is well and no run is due. */
const IDLE_MS = HOUR;
/** The time between polls while something is wrong, to notice when it is repaired. */
const WRONG_MS = 15 * MINUTE;
/** If something has been wrong for long, the time between polls is this share of it. */
const WRONG_SHARE = 1 / 16;
/** How long an unfinished run is polled as often as one that is due. */
const RUNNING_MS = HOUR;
/** While an older run is unfinished, the time between polls is this share of its age. */
const RUNNING_SHARE = 1 / 8;
const WITHOUT_PLAN_MS = 10 * MINUTE;
/** How long polls are as frequent for an overdue run as for a due one. */
const AWAITED_MS = 30 * MINUTE;
const STALE_MS = 10_000;
const LONGEST_FAILING_MS = 5 * MINUTE;

export interface PollSituation {
  readonly now: number;
  readonly state: string;
  /** Since when something has been wrong; null if that is not known. */
  readonly wrongSince: number | null;
  readonly plan: Plan | null;
  readonly waitsMs: number;
  readonly isDue: boolean;
  readonly latestStart: number | null;
  /** The starts of the unfinished runs among the newest ones, possibly in the future. */
  readonly openStarts: readonly number[];
  /** The duration after which an unfinished run is stuck; null if that is not known. */
  readonly stuckAfter: number | null;
}

/** Polls soon after a run is due and after its grace, often while it is expected, otherwise rarely. */
export function nextPollOf(
  { now, state, wrongSince, plan, waitsMs, isDue, latestStart, openStarts, stuckAfter }:
    PollSituation,
  everyMs: number,
): number {
  const soonest = now + everyMs;
  const isWell = state === "up" || state === "new";
  const wrongMs = now - (wrongSince ?? now);
  const waitWrong = Math.max(WRONG_MS, Math.min(wrongMs * WRONG_SHARE, IDLE_MS));
  const idle = now + (!plan ? WITHOUT_PLAN_MS : isWell ? IDLE_MS : waitWrong);
  const moments = [Math.max(idle, soonest)];
  const later = (times: readonly number[]) => times.filter((time) => time > now);
  for (const start of openStarts) {
    const age = now - start;
    const wait = age <= RUNNING_MS ? everyMs : Math.min(age * RUNNING_SHARE, IDLE_MS);
    if (age >= 0) moments.push(now + Math.max(everyMs, wait));
    if (stuckAfter === null) continue;
    moments.push(start + stuckAfter + 1);
  }
  if (plan) {
    const slots = planSlots(plan, now - plan.graceMs - waitsMs - AWAITED_MS, now + DAY);
    // For each slot, when it becomes overdue without a run.
    const overdueFrom = graceEndsOf(plan, slots).map((end) => end + waitsMs + 1);
    const [next] = later(slots);
    // After one interval, a run that is on time is listed.
    if (next !== undefined) moments.push(next + everyMs);
    // If a run has met a slot, the end of its grace does not matter.
    const isOpen = (slot: number) => isDue || slot - MINUTE > (latestStart ?? -Infinity);
    const awaited = overdueFrom.filter((_, index) => slots[index] <= now && isOpen(slots[index]));
    if (awaited.length > 0) moments.push(soonest, ...later(awaited));
  }
  // Exactly when a grace ends, so that people who wait for a report are notified in time.
  return Math.round(Math.min(...later(moments)));
}

/** The next poll after `failures` in a row; `notBefore` ends a pause that the service demanded. */
export function nextAfterFailure(
  now: number,
  failures: number,
  { everyMs, notBefore = 0, isStale = false, plan = null, waitsMs = 0 }: {
    readonly everyMs: number;
    readonly notBefore?: number;
    readonly isStale?: boolean;
    readonly plan?: Plan | null;
    readonly waitsMs?: number;
  },
): number {
  const first = isStale ? Math.min(everyMs, STALE_MS) : everyMs;
  const wait = Math.min(
    first * 2 ** Math.min(failures - 1, 10),
    Math.max(LONGEST_FAILING_MS, everyMs),
  );
  const slots = plan ? planSlots(plan, now - plan.graceMs - waitsMs - everyMs, now + wait) : [];
  // Earlier if a run is due before that, or overdue.
  const moments = [
    ...slots.map((slot) => slot + everyMs),
    ...(plan ? graceEndsOf(plan, slots) : []).map((end) => end + waitsMs + 1),
  ].filter((moment) => moment > now);
  return Math.ceil(Math.max(Math.min(now + wait, ...moments), notBefore));
}
