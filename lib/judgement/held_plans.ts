/** Decides which plan judges which runs. */
import { DAY, MINUTE } from "../time_units.ts";
import { lowerBound } from "../runs/quantiles.ts";
import { plansFollowed } from "./plans/infer.ts";
import { endOfGrace } from "./plans/match.ts";
import { type Plan, readPlan } from "./plans/plan.ts";
import { firstSlot, slotTimes, slotTimesUpTo } from "./plans/slot_times.ts";

/** A plan, or none, that judges the runs from a time on, until the next plan does. */
export interface HeldPlan {
  readonly plan: Plan | null;
  /** When the first run that it judges started. */
  readonly from: number;
  /**
   * When people changed it: later slots don't count, and those for which nothing ran until then are
   * excused. By default, slots after its last run don't count.
   */
  readonly until?: number;
  /**
   * Slots from then on count, but before the first run of all only those that were met. By default, all
   * from the first that was met.
   */
  readonly since?: number;
  /**
   * When the first run started, for an inferred plan. While that is not long ago, it can't miss planned
   * runs at hours and on weekdays at which it has not run yet.
   */
  readonly firstStart?: number;
}

/** Plans that are due at the same times for this long before and after a moment are the same. */
const SHARED = 35 * DAY;

/**
 * The plans in the order in which they held, the current one last: confirmed ones, and before them
 * those that the runs show. `inferred` is a plan that a longer history shows, or null for none.
 */
export function heldPlans(
  times: Float64Array,
  { now, plans = [], inferred, zone, firstStart }: {
    readonly now: number;
    readonly plans?: readonly Plan[];
    readonly inferred?: Plan | null;
    readonly zone?: string;
    readonly firstStart: number;
  },
): readonly HeldPlan[] {
  const shownBy = (some: Float64Array): HeldPlan[] =>
    some.length === 0 ? [] : plansFollowed(some, zone)
      .map((period, at) => ({ ...period, firstStart: at === 0 ? firstStart : period.from }));
  const [first, ...changes] = plans.filter(({ since }, at) => at === 0 || since <= now);
  if (first) {
    const earlier = shownBy(times.subarray(0, lowerBound(times, first.since)));
    const until = changes.length > 0 ? { until: changes[0].since - 1 } : {};
    return [
      ...holdAfter(earlier, { ...holdFirst(first, times, now), ...until }),
      ...changes.map((plan, at) => ({
        plan,
        from: firstRunFrom(times, startOfChange(plan)),
        since: plan.since,
        ...changes[at + 1] && { until: changes[at + 1].since - 1 },
      })),
    ];
  }
  if (inferred === undefined) return shownBy(times);
  return inferred ? [{ ...holdFirst(inferred, times, now), firstStart }] : [];
}

/** From when on runs follow a changed plan: they may start a little before its first slot. */
function startOfChange(plan: Plan): number {
  const early = firstSlot(readPlan(plan), plan.since, plan.since + MINUTE);
  return early === null ? plan.since : early - MINUTE;
}

/**
 * The first confirmed plan judges the runs since it holds, and the newest slot before that. Its slots
 * count from the first run on, even if none was met, so that it is noticed if runs have stopped.
 */
export function holdFirst(plan: Plan, times: Float64Array, now: number): HeldPlan {
  const isGivenLater = plan.since <= now && times[0] < plan.since;
  const since = isGivenLater ? Math.min(plan.since, newestOver(plan, times)) : plan.since;
  return {
    plan,
    from: firstRunFrom(times, since - plan.graceMs),
    since,
  };
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

/** Inferred plans, then the first confirmed one, which takes over the past of the same plan. */
function holdAfter(earlier: readonly HeldPlan[], confirmed: HeldPlan): HeldPlan[] {
  const last = earlier.at(-1);
  if (!last?.plan || !haveSameTimes(last.plan, confirmed.plan!)) {
    return [...earlier.filter(({ from }) => from < confirmed.from), confirmed];
  }
  const { since: _, ...taking } = confirmed;
  return [...earlier.slice(0, -1), { ...taking, from: last.from }];
}

/** Whether two plans are due at the same times in the weeks around the change between them. */
function haveSameTimes(before: Plan, after: Plan): boolean {
  const [from, to] = [after.since - SHARED, after.since + SHARED];
  const [times, others] = [before, after].map((plan) => slotTimes(readPlan(plan), from, to));
  return times.length === others.length && times.every((time, at) => time === others[at]);
}

function firstRunFrom(times: Float64Array, from: number): number {
  return times[lowerBound(times, from)] ?? Infinity;
}
