/** The latest slots of a plan, to be compared with what was started. */
import type { ReportRun } from "../types.ts";
import { occurrencesOf, runsInTime, timesOf } from "../runs/occurrences.ts";
import { type Plan, readPlan } from "./plans/plan.ts";
import { slotTimesUpTo } from "./plans/slot_times.ts";
import type { StatusDictionary } from "../runs/status.ts";
import { excusedBy } from "./excused.ts";
import { followConfirmed } from "./followed_plans.ts";
import { type JudgedSlot, judgeSlots } from "./slots.ts";

/** The latest slots up to now, newest first, also those before the plan's `since`. */
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
