/** The latest slots of a plan, to be compared with what was started. */
import type { ReportRun } from "../types.ts";
import { occurrencesOf, runsInTime } from "../runs/occurrences.ts";
import { type Plan, readPlan } from "./plans/plan.ts";
import { slotTimes } from "./plans/slot_times.ts";
import type { StatusDictionary } from "../runs/status.ts";
import { excusedBy } from "./excused.ts";
import { followConfirmed, type JudgedSlot, judgeSlots } from "./slots.ts";

const HOUR = 3_600_000;
/** Slots are searched for at most this far back. */
const FURTHEST = 800 * 24 * HOUR;

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
  const { timed, impossible } = runsInTime(runs, now);
  if (timed.length === 0) return [];
  const since = earliestOf(plan, { now, count });
  if (since === null) return [];
  const occurrences = occurrencesOf(timed, statuses);
  const times = Float64Array.from(occurrences.planned, ({ time }) => time);
  const followed = followConfirmed({ ...plan, since }, times);
  const { slots } = judgeSlots(occurrences, followed, now, excusedBy(impossible, timed));
  return slots.slice(-count).reverse();
}

/** The first of the latest slots. */
function earliestOf(
  plan: Plan,
  { now, count }: { readonly now: number; readonly count: number },
): number | null {
  const read = readPlan(plan);
  let slots: number[] = [];
  for (let length = 2 * HOUR; slots.length < count && length <= FURTHEST; length *= 3) {
    slots = slotTimes(read, now - length, now + 1);
  }
  return slots.at(-count) ?? slots[0] ?? null;
}
