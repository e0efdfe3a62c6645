/** Computes the times at which a plan is due, by arithmetic on local days. */
import { DAY, HOUR, MINUTE } from "../../time_units.ts";
import type { CronRule } from "./cron.ts";
import { dueDays, weekOf } from "./due_days.ts";
import type { ZoneClock } from "../../zone_clock.ts";

/** The next slot is searched for at most this far ahead. */
const FURTHEST = 4000 * DAY;
/** The latest slots are searched for in these spans, shortest first. */
const SPANS_BACK = [2 * HOUR, 12 * HOUR, 3 * DAY, 18 * DAY, 108 * DAY, 800 * DAY];

export interface ReadPlan {
  readonly rules: readonly CronRule[];
  readonly clock: ZoneClock;
  /** Only weeks whose number divided by `n` leaves `rest`, see `weekOf`. */
  readonly weeks: { readonly n: number; readonly rest: number } | null;
}

/** The times at which a plan is due, sorted, each once, from `from` on and before `to`. */
export function slotTimes({ rules, clock, weeks }: ReadPlan, from: number, to: number): number[] {
  const times: number[] = [];
  if (!(to > from)) return times;
  for (const rule of rules) addSlots(rule, clock, weeks, from, to, times);
  if (rules.length > 1) {
    times.sort((a, b) => a - b);
    return times.filter((time, at) => at === 0 || time !== times[at - 1]);
  }
  return times;
}

/** The first time at which a plan is due, or null. The search widens, because it is usually near. */
export function firstSlot(
  plan: ReadPlan,
  from: number,
  to: number = from + FURTHEST,
): number | null {
  for (let length = 2 * HOUR;; length *= 6) {
    const [first] = slotTimes(plan, from, Math.min(from + length, to));
    if (first !== undefined) return first;
    if (from + length >= to) return null;
  }
}

/** The latest slots up to a moment: at least `count`, unless there are fewer in two years. */
export function slotTimesUpTo(plan: ReadPlan, moment: number, count: number): number[] {
  let slots: number[] = [];
  for (const span of SPANS_BACK) {
    if (slots.length < count) slots = slotTimes(plan, moment - span, moment + 1);
  }
  return slots;
}

/**
 * Adds the slots of a rule. A fixed time is due once a day, however clocks change. In Berlin, 02:30
 * on 29 March 2026 -> 03:00, as there is no 02:30; on 25 October -> once, at the first 02:30.
 */
function addSlots(
  rule: CronRule,
  clock: ZoneClock,
  weeks: ReadPlan["weeks"],
  from: number,
  to: number,
  times: number[],
): void {
  let before: number | undefined;
  // The previous day shows whether the first moment comes right after a clock change.
  for (const { start, end, offset } of clock.spans(from - DAY, to)) {
    let localStart = start + offset;
    if (rule.isFixed && before !== undefined) {
      const changed = start + before;
      if (before < offset && start >= from) {
        // A time that the clocks skip is due when they jump ahead.
        const skipped: number[] = [];
        addLocal(rule, weeks, changed, localStart, 0, skipped);
        if (skipped.length > 0) times.push(start);
      } else localStart = changed;
    }
    before = offset;
    addLocal(rule, weeks, Math.max(localStart, from + offset), end + offset, offset, times);
  }
}

/** Adds the slots between two local times, which are `offset` ahead of UTC. */
function addLocal(
  { minutes, days }: CronRule,
  weeks: ReadPlan["weeks"],
  localFrom: number,
  localTo: number,
  offset: number,
  times: number[],
): void {
  if (localTo <= localFrom) return;
  const first = Math.floor(localFrom / DAY);
  const last = Math.floor((localTo - 1) / DAY);
  const due = dueDays(days, first, last);
  for (let day = first; day <= last; day++) {
    if (due[day - first] === 0) continue;
    if (weeks && ((weekOf(day) - weeks.rest) % weeks.n + weeks.n) % weeks.n !== 0) continue;
    const midnight = day * DAY;
    const isInside = day !== first && day !== last;
    for (const minute of minutes) {
      const local = midnight + minute * MINUTE;
      if (isInside || local >= localFrom && local < localTo) times.push(local - offset);
    }
  }
}
