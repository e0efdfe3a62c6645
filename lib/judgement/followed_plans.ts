/** Decides which plan judges which runs if a person confirmed a plan. */
import { DAY } from "../time_units.ts";
import { lowerBound } from "../runs/quantiles.ts";
import { endOfGrace } from "./plans/match.ts";
import { type Plan, readPlan } from "./plans/plan.ts";
import { firstSlot, slotTimes, slotTimesUpTo } from "./plans/slot_times.ts";
import { type FollowedPlan, type JudgedSlot, judgeSlots } from "./slots.ts";
import type { ReportRun } from "../types.ts";
import { occurrencesOf, timedRuns, timesOf } from "../runs/occurrences.ts";
import type { StatusDictionary } from "../runs/status.ts";

/** Plans that are due at the same times for this long before and after a moment are the same. */
const SHARED = 35 * DAY;

/**
 * A confirmed plan judges the runs since it holds, and the newest slot before that. Its slots count
 * from the first run on, even if none was met, so that it is noticed if runs have stopped.
 */
export function followConfirmed(plan: Plan, times: Float64Array, now: number): FollowedPlan {
  const isGivenLater = plan.since <= now && times[0] < plan.since;
  const since = isGivenLater ? Math.min(plan.since, newestOver(plan, times)) : plan.since;
  const from = times.findIndex((time) => time >= since - plan.graceMs);
  const begin = from < 0 ? times.length : from;
  return {
    plan: { ...plan, since },
    from: begin,
    to: times.length,
    countsFrom: Math.max(since, times[0] ?? plan.since),
  };
}

/** Confirmed plans in their order, each until the next one holds; none of those still to come. */
export function followPlans(
  plans: readonly Plan[],
  times: Float64Array,
  now: number,
): FollowedPlan[] {
  const [first, ...changes] = plans.filter(({ since }, at) => at === 0 || since <= now);
  if (!first) return [];
  const starts = [
    followConfirmed(first, times, now),
    ...changes.map((plan) => {
      const from = lowerBound(times, plan.since - plan.graceMs);
      return { plan, from, to: times.length, countsFrom: plan.since };
    }),
  ];
  return starts.map((part, at) => {
    const next = starts[at + 1];
    return next
      ? { ...part, to: Math.max(part.from, next.from), until: next.plan!.since - 1 }
      : part;
  });
}

/** The newest slot whose grace was over when a plan began, unless runs came at another time. */
function newestOver(plan: Plan, times: Float64Array): number {
  const read = readPlan(plan);
  const slots = slotTimesUpTo(read, plan.since, 3);
  const ends = slots.map((slot, at) =>
    endOfGrace(plan.graceMs, slot, slots[at + 1] ?? firstSlot(read, slot + 1))
  );
  const over = ends.findLastIndex((end) => end < plan.since);
  const latest = times[lowerBound(times, slots[over]) - 1];
  return over < 0 || latest > ends[over - 1] ? Infinity : slots[over];
}

/** The inferred plans, then the confirmed ones; the first may take over the past of the last. */
export function followBefore(
  earlier: readonly FollowedPlan[],
  [confirmed, ...changes]: readonly FollowedPlan[],
): FollowedPlan[] {
  const last = earlier.at(-1);
  const plan = confirmed.plan!;
  if (!last?.plan || !haveSameTimes(last.plan, plan)) {
    const before = earlier.map((part) => ({ ...part, to: Math.min(part.to, confirmed.from) }));
    return [...before.filter(({ from, to }) => from < to), confirmed, ...changes];
  }
  const { countsFrom: _, ...part } = confirmed;
  const { plan: { since }, from } = last;
  return [...earlier.slice(0, -1), { ...part, plan: { ...plan, since }, from }, ...changes];
}

/** Whether two plans are due at the same times in the weeks around the change between them. */
function haveSameTimes(before: Plan, after: Plan): boolean {
  const [from, to] = [after.since - SHARED, after.since + SHARED];
  const [times, others] = [before, after].map((plan) => slotTimes(readPlan(plan), from, to));
  return times.length === others.length && times.every((time, at) => time === others[at]);
}

/** The latest slots up to now, newest first, including those before the plan's `since`. */
export function latestSlots<Run extends ReportRun>(
  runs: readonly Run[],
  plan: Plan,
  { now, statuses, count }: {
    readonly now: number;
    readonly statuses: StatusDictionary;
    readonly count: number;
  },
): JudgedSlot<Run>[] {
  const { timed } = timedRuns(runs, now, statuses);
  if (timed.length === 0) return [];
  const [since] = slotTimesUpTo(readPlan(plan), now, count).slice(-count);
  if (since === undefined) return [];
  const occurrences = occurrencesOf(timed);
  const times = timesOf(occurrences.planned.map(([first]) => first));
  const followed = followConfirmed({ ...plan, since }, times, now);
  const { slots } = judgeSlots(occurrences, [followed], { now });
  return slots.filter(({ at }) => at >= since).reverse();
}
