/** When to look at a schedule next, and how long a verdict stays valid. */
import { inTimeUntilEach, type Plan } from "../../../lib/judgement/plans/plan.ts";
import type { PlanSlots } from "./judge.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How often to look between slots if all is well. */
const IDLE_MS = HOUR;
/** How often to look if something is wrong: recovery is news. */
const WRONG_MS = 15 * MINUTE;
/** The part of the time that something has been wrong after which it is looked at again, if longer. */
const WRONG_SHARE = 1 / 16;
/** How long a run that has not ended is looked at as often as one that is due. */
const RUNNING_MS = HOUR;
/** The part of its age after which an older one is looked at again. */
const RUNNING_SHARE = 1 / 8;
/** How often to look at a schedule without a plan. */
const WITHOUT_PLAN_MS = 10 * MINUTE;
/** How long to look for an overdue run as often as for one that is due. */
const AWAITED_MS = 30 * MINUTE;
/** The longest wait if the service can't be reached. */
const LONGEST_FAILING_MS = 5 * MINUTE;
/** How long a verdict stays valid at most without new runs. */
const LONGEST_HOLD_MS = 12 * HOUR;

/** What the next look depends on. */
export interface Situation {
  readonly now: number;
  readonly state: string;
  /** Since when something has been wrong; null if that is not known. */
  readonly wrongSince: number | null;
  readonly plan: Plan | null;
  /** How long after its grace a slot may still turn out to be met. */
  readonly waitsMs: number;
  /** Whether a run is due that may still be on time. */
  readonly isDue: boolean;
  /** When the newest run started; null if none did. */
  readonly latestStart: number | null;
  /** When those of the newest runs started, or will start, that have not ended yet. */
  readonly openStarts: readonly number[];
  /** After how long such a run is stuck; null if that is not known. */
  readonly stuckAfter: number | null;
}

/** The next look, and how long the verdict stays valid. */
export interface Rhythm {
  readonly next: number;
  readonly holdsUntil: number;
}

/**
 * When to look next: soon after a slot and when its grace ends, often while a run is expected or
 * going on, and seldom otherwise.
 */
export function rhythmOf(
  { now, state, wrongSince, plan, waitsMs, isDue, latestStart, openStarts, stuckAfter }: Situation,
  { everyMs, planSlots }: { readonly everyMs: number; readonly planSlots: PlanSlots },
): Rhythm {
  const soonest = now + everyMs;
  const isWell = state === "up" || state === "new";
  const wrongMs = now - (wrongSince ?? now);
  const waitWrong = Math.max(WRONG_MS, Math.min(wrongMs * WRONG_SHARE, IDLE_MS));
  const idle = now + (!plan ? WITHOUT_PLAN_MS : isWell ? IDLE_MS : waitWrong);
  const moments = [Math.max(idle, soonest)];
  const edges = [now + LONGEST_HOLD_MS];
  const later = (times: readonly number[]) => times.filter((time) => time > now);
  for (const start of openStarts) {
    const age = now - start;
    const wait = age <= RUNNING_MS ? everyMs : Math.min(age * RUNNING_SHARE, IDLE_MS);
    if (age >= 0) moments.push(now + Math.max(everyMs, wait));
    if (stuckAfter === null) continue;
    const stuckFrom = start + stuckAfter + 1;
    moments.push(stuckFrom);
    edges.push(stuckFrom);
  }
  if (plan) {
    const slots = planSlots(plan, now - plan.graceMs - waitsMs - AWAITED_MS, now + DAY);
    // The first times at which runs that did not start are overdue.
    const overdueFrom = inTimeUntilEach(plan, slots).map((end) => end + waitsMs + 1);
    const [next] = later(slots);
    // A run on time is seen at the next look.
    if (next !== undefined) moments.push(next + everyMs);
    // A slot that a run has met since changes nothing when its grace ends.
    const isOpen = (slot: number) => isDue || slot - MINUTE > (latestStart ?? -Infinity);
    const unmetFrom = overdueFrom.filter((_, place) => isOpen(slots[place]));
    // Just after a slot its run is late, and after its grace overdue.
    edges.push(...later(slots.map((slot) => slot + 1)).slice(0, 1));
    edges.push(...later(unmetFrom).slice(0, 1));
    const awaited = overdueFrom.filter((_, place) => slots[place] <= now && isOpen(slots[place]));
    if (awaited.length > 0) moments.push(soonest, ...later(awaited).slice(0, 1));
  }
  return {
    // Exactly when a grace ends, so that whoever waits for a report is notified in time.
    next: Math.round(Math.min(...later(moments))),
    holdsUntil: Math.round(Math.min(...later(edges))),
  };
}

/** The next look after failed looks in a row; `notBefore` is what the service asked for. */
export function nextAfterFailure(
  now: number,
  failures: number,
  { everyMs, notBefore = 0 }: { readonly everyMs: number; readonly notBefore?: number },
): number {
  const wait = Math.min(
    everyMs * 2 ** Math.min(failures - 1, 10),
    Math.max(LONGEST_FAILING_MS, everyMs),
  );
  return Math.ceil(Math.max(now + wait, notBefore));
}
