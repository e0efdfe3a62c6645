/** Finds when a verdict may change although nothing runs. */
import { timeOf } from "../runs/times.ts";
import { CLOCK_TOLERANCE } from "../runs/occurrences.ts";
import { type Facts, LATELY } from "./facts.ts";
import { DAY_IN_ANY_ZONE, LATEST } from "./planned_runs.ts";
import { nextStuck } from "./reasons.ts";
import type { JudgeOptions } from "./verdict.ts";
import { YOUNG_MS } from "./young.ts";

/** The first moment after now at which something that the verdict compares with now is passed. */
export function changesAt(
  facts: Facts,
  { plans = [], pauses = [], decisions = [], listingDelayMs = 0 }: JudgeOptions,
): number | null {
  const { now, judged: { slots, after }, timed, impossible, firstStart } = facts;
  // Where many planned runs of a day are listed, the oldest goes first.
  const oldest = slots.slice(0, -LATEST).find(({ at }) => at >= now - DAY_IN_ANY_ZONE);
  const moments = [
    after,
    // A planned run is late from the moment after it.
    ...slots.slice(-1).map(({ at }) => at + 1),
    ...slots.flatMap(({ outcome, at, graceEnd }) =>
      outcome === "due" && graceEnd !== undefined
        ? Math.floor(graceEnd + listingDelayMs) + 1
        : outcome === "late"
        ? at + LATELY + 1
        : []
    ),
    oldest && oldest.at + DAY_IN_ANY_ZONE + 1,
    nextStuck(facts),
    ...timed.flatMap(({ time, ms }) => (ms ?? 0) < 0 ? time + LATELY : []),
    ...impossible.map(({ startTime }) => timeOf(startTime)! - CLOCK_TOLERANCE),
    ...plans.map(({ since }) => since),
    ...pauses.flatMap(({ from, to }) => [from, to]),
    ...decisions.map(({ until }) => until),
    firstStart + YOUNG_MS,
  ].filter((at) => typeof at === "number" && at > now);
  return moments.length === 0 ? null : Math.min(...moments as number[]);
}
