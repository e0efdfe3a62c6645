/** Runs whose start can't be: about when they really started, by their ids. */
import type { ReportRun } from "../../types.ts";
import type { TimedRun } from "../occurrences.ts";

/** Ids tell the order of runs where nearly all of them rise with time. */
const RISING_PART = 0.95;

/**
 * The spans in which runs with impossible clocks must have started: between the runs whose ids come
 * before and after theirs. What was due in such a span is not known to be missed. `timed` are all
 * other runs, the oldest first.
 */
export function excusedBy(
  impossible: readonly ReportRun[],
  timed: readonly TimedRun<ReportRun>[],
): (readonly [after: number, before: number])[] {
  if (impossible.length === 0 || timed.length < 3) return [];
  let rising = 0;
  for (let at = 1; at < timed.length; at++) if (timed[at].run.id > timed[at - 1].run.id) rising++;
  if (rising < RISING_PART * (timed.length - 1)) return [];
  const ids = timed.map(({ run }) => run.id);
  return impossible.flatMap(({ id }) => {
    const after = ids.findIndex((other) => other > id);
    return after > 0 ? [[timed[after - 1].time, timed[after].time] as const] : [];
  });
}
