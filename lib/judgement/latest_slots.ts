/** The latest slots of a plan, to be compared with what was started. */
import type { ReportRun } from "../types.ts";
import { occurrencesOf, runsInTime, timesOf } from "../runs/occurrences.ts";
import { type Plan, readPlan } from "./plans/plan.ts";
import { slotTimesUpTo } from "./plans/slot_times.ts";
import type { StatusDictionary } from "../runs/status.ts";
import { excusedBy } from "./excused.ts";
import { followConfirmed } from "./followed_plans.ts";
import { type JudgedSlot, judgeSlots } from "./slots.ts";

/**
 * The latest slots up to now and what became of each, including those before `since` of the plan.
 *
 * @param runs The runs, in any order.
 * @param options The current time in milliseconds since 1970, what statuses mean, and how many
 * slots.
 * @returns The slots, newest first; none before the first run.
 * @throws {TypeError | RangeError} If the plan is not valid.
 */
export function latestSlots<Run extends ReportRun>(
  runs: readonly Run[],
  plan: Plan,
  { now, statuses, count }: {
    readonly now: number;
    readonly statuses: StatusDictionary;
    readonly count: number;
  },
): JudgedSlot<Run>[] {
  const { timed, impossible } = runsInTime(runs, now, statuses);
  if (timed.length === 0) return [];
  const [since] = slotTimesUpTo(readPlan(plan), now, count).slice(-count);
  if (since === undefined) return [];
  const occurrences = occurrencesOf(timed);
  const times = timesOf(occurrences.planned.map(([first]) => first));
  const followed = followConfirmed({ ...plan, since }, times, now);
  const { slots } = judgeSlots(occurrences, [followed], now, excusedBy(impossible, timed));
  return slots.filter(({ at }) => at >= since).reverse();
}
