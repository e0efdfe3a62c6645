/** Counts what happened at the slots of a candidate plan: late, early, missing and extra runs. */
import { DAY, MINUTE } from "../../time_units.ts";
import { CHANCE_BITS, LATE_ALONE, ON_TIME_PART } from "./constants.ts";
import type { Candidate, Matched } from "./candidates.ts";
import type { Starts } from "./starts.ts";

export interface SlotTally {
  /** How late each run with a slot was, in minutes, sorted; early ones count as 0. */
  readonly lateness: Float64Array;
  /** How many of them were early by more than clocks differ. */
  readonly early: number;
  readonly extras: number;
  /** Slots that were met directly after another one. */
  readonly hits: number;
  /** How often one or more slots in a row were missed: gaps. */
  readonly gaps: number;
  readonly misses: number;
  /** The sum of the squared lengths of gaps. */
  readonly squares: number;
  /** The greatest lateness, as a share of the time to the next slot. */
  readonly latest: number;
  /** Whether runs come at one time of day instead of another, so one of them is not a slot. */
  readonly standsIn: boolean;
}

export function tallyOf(
  { parts }: Candidate,
  { slots, slotOf }: Matched,
  { times, finest }: Starts,
): SlotTally {
  const lateness = new Float64Array(times.length);
  const pairs = parts.length > 1 ? new Map<number, Pairs>() : null;
  let [matched, extras, early, latest] = [0, 0, 0, 0];
  let [hits, gaps, misses, squares] = [0, 0, 0, 0];
  let before = -1;
  for (let run = 0; run < times.length; run++) {
    const slot = slotOf[run];
    if (slot < 0) {
      extras++;
      continue;
    }
    const late = (times[run] - slots[slot]) / MINUTE;
    if (isEarly(late, finest)) early++;
    lateness[matched++] = Math.max(0, late);
    if (slot + 1 < slots.length) {
      latest = Math.max(latest, late * MINUTE / (slots[slot + 1] - slots[slot]));
    }
    const length = slot - before - 1;
    if (before >= 0 && length === 0) {
      hits++;
      countPair(pairs, slots[slot], "both");
    } else if (before >= 0) {
      countPair(pairs, slots[slot], "one");
      countPair(pairs, slots[before + 1], "one");
      gaps++;
      misses += length;
      squares += length ** 2;
    }
    before = slot;
  }
  const met = (hits + gaps) / Math.max(1, hits + gaps + misses);
  return {
    lateness: lateness.subarray(0, matched).sort(),
    early,
    extras,
    hits,
    gaps,
    misses,
    squares,
    latest,
    standsIn: pairs !== null && neverBoth(pairs, met),
  };
}

/** How many of some runs show how late they usually are; one may be late for its own reason. */
export function usualCount(runs: number): number {
  return runs - Math.max(1, Math.round(runs * LATE_ALONE));
}

/** Whether a run is early by more than the seconds by which clocks differ. */
export function isEarly(late: number, finest: number): boolean {
  return late < -finest * ON_TIME_PART;
}

/** How much the lengths of gaps vary, as a share of how much they would at random. */
export function gapVariance({ hits, gaps, misses, squares }: SlotTally): number {
  if (misses === 0) return 1;
  const between = misses / Math.max(1, hits + gaps);
  const variance = squares / Math.max(1, hits + gaps) - between ** 2;
  return variance / (between * (between + 1));
}

/** How often both a slot at some time of day and the slot before it were met, or only one. */
interface Pairs {
  both: number;
  one: number;
}

function countPair(pairs: Map<number, Pairs> | null, slot: number, which: keyof Pairs): void {
  if (pairs === null) return;
  const known = pairs.get(slot % DAY) ?? { both: 0, one: 0 };
  pairs.set(slot % DAY, known);
  known[which]++;
}

/** Whether there is a time of day at which both were never met, although chance would have it. */
function neverBoth(pairs: ReadonlyMap<number, Pairs>, met: number): boolean {
  const bits = -Math.log2(1 - met / (2 - met));
  return [...pairs.values()].some(({ both, one }) => both === 0 && one * bits > CHANCE_BITS);
}
