/** Estimates, from their ids, when runs with an impossible start really started. */
import type { ReportRun } from "../types.ts";
import type { TimedRun } from "../runs/occurrences.ts";
import type { Pause } from "./slots.ts";

/** Ids show the order of runs if at least this share of them rises with time. */
const RISING_PART = 0.95;

/** The spans between the runs with the next lower and higher ids, in which nothing is missed. */
export function excusedBy(
  impossible: readonly ReportRun[],
  timed: readonly TimedRun<ReportRun>[],
): Pause[] {
  if (impossible.length === 0 || timed.length < 3) return [];
  const ids = timed.map(({ run }) => run.id);
  const rising = ids.filter((id, at) => id > ids[at - 1]).length;
  if (rising < RISING_PART * (ids.length - 1)) return [];
  return impossible.flatMap(({ id }) => {
    const after = ids.findIndex((other) => other > id);
    return after > 0 ? [{ from: timed[after - 1].time + 1, to: timed[after].time }] : [];
  });
}
