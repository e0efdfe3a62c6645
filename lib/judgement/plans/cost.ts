/** How many bits it takes to describe runs with a plan: see docs/inference.md. */
import { ANY_LATENESS, EVEN_BITS, LATE_ALONE, LATER_THAN_EVEN, MET_BEFORE } from "./constants.ts";
import { type Candidate, type Matched, matchTo } from "./candidates.ts";
import type { Starts } from "./starts.ts";
import { gapVariance, isEarly, type SlotTally, tallyOf } from "./tally.ts";

const MINUTE = 60_000;

/** What is usual of runs under a plan; it determines each run's bits. */
export interface Habits {
  /** Bits of a slot that is met, after one that was met. */
  readonly hit: number;
  /** Bits of a slot that is missed, after one that was met. */
  readonly enterGap: number;
  /** Bits of a slot that is missed, after another. */
  readonly stayInGap: number;
  /** Bits of a slot that is met, after one that was missed. */
  readonly leaveGap: number;
  readonly extra: number;
  /** Bits to say that a run has a slot. */
  readonly own: number;
  /** Bits of an early run, and what the other runs pay for not being early. */
  readonly early: number;
  readonly notEarly: number;
  /** Mean lateness in minutes, or the maximum if any lateness up to it is equally likely. */
  readonly lateness: number;
  readonly isEven: boolean;
}

export interface Fit extends Pick<SlotTally, "gaps" | "extras" | "latest" | "standsIn"> {
  readonly candidate: Candidate;
  readonly habits: Habits;
  readonly bits: number;
  readonly gapVariance: number;
}

/** A time during which a schedule followed a plan, or none. */
export interface PlanPeriod {
  readonly from: number;
  readonly to: number;
  /** How many of its last runs may begin another plan, but are too few to show it; by default none. */
  readonly undecided?: number;
  readonly fit: Fit | null;
}

/** Fits a plan to runs: finds out what is usual under it, and how many bits the runs then take. */
export function fitTo(candidate: Candidate, starts: Starts): Fit {
  const matched = matchTo(candidate, starts.times);
  const tally = tallyOf(candidate, matched, starts);
  const habits = habitsOf(tally, matched, starts);
  const { own, missed } = bitsUnder(habits, matched, starts);
  let bits = candidate.bits + MET_BEFORE * habits.hit;
  for (let run = 0; run < own.length; run++) bits += own[run] + missed[run];
  return { ...tally, candidate, habits, bits, gapVariance: gapVariance(tally) };
}

/** The bits that each event takes if it is as frequent as it was. */
function habitsOf(
  { lateness, early, extras, hits, gaps, misses }: SlotTally,
  { slots }: Matched,
  starts: Starts,
): Habits {
  const { finest } = starts;
  // Half an event more of each kind, as what has not happened yet may still happen.
  const entering = (gaps + 0.5) / (hits + gaps + 1);
  const staying = (misses - gaps + 0.5) / (misses + 1);
  const extra = (extras + 0.5) / (starts.times.length + 1);
  const earlyPart = Math.min(0.5, (early + 0.5) / (lateness.length + 1));
  return {
    ...latenessOf(lateness, finest),
    hit: -Math.log2(1 - entering),
    enterGap: Math.max(1, -Math.log2(entering)),
    stayInGap: -Math.log2(staying),
    leaveGap: Math.max(1, -Math.log2(1 - staying)),
    extra: -Math.log2(extra) + Math.log2(Math.max(1, usualGap(starts))) + Math.LOG2E,
    own: -Math.log2(1 - extra),
    early: -Math.log2(earlyPart) + Math.log2(earlyMinutes(slots, finest)),
    notEarly: -Math.log2(1 - earlyPart),
  };
}

/** The mean of the usual latenesses, or their bound if that describes them in fewer bits. */
function latenessOf(
  lateness: Float64Array,
  finest: number,
): Pick<Habits, "lateness" | "isEven"> {
  const count = lateness.length;
  // Of few runs, too, one may be late for a reason of its own.
  const usual = Math.max(1, count - Math.max(1, Math.round(count * LATE_ALONE)));
  let sum = 0;
  for (let at = 0; at < Math.min(usual, count); at++) sum += lateness[at];
  const mean = Math.max(finest, count > 0 ? sum / usual : 1);
  const most = Math.max(finest, evenBound(lateness, usual));
  const isEven = Math.log2(most) + EVEN_BITS < Math.log2(mean) + Math.LOG2E;
  return { lateness: isEven ? most : mean, isEven };
}

function usualGap({ times }: Starts): number {
  return (times[times.length - 1] - times[0]) / MINUTE / Math.max(1, times.length - 1);
}

/** The bound up to which any lateness is equally likely; the first `usual` are within it. */
function evenBound(lateness: Float64Array, usual: number): number {
  const { length } = lateness;
  // Extra bits for a run just beyond the bound.
  const beyondBits = Math.log2((1 - LATER_THAN_EVEN) / LATER_THAN_EVEN) + Math.LOG2E;
  let [within, least] = [usual, Infinity];
  for (let count = usual; count <= length; count++) {
    const bits = length * Math.log2(lateness[count - 1]) + (length - count) * beyondBits;
    if (bits < least) [within, least] = [count, bits];
  }
  return (lateness[within - 1] ?? 1) * (1 + 1 / (within + 1));
}

function earlyMinutes(slots: readonly number[], finest: number): number {
  return slots.length < 2 ? 1 : Math.max(finest, Math.min(1, (slots[1] - slots[0]) / 10 / MINUTE));
}

export interface RunBits {
  /** For lateness, or for having no slot. */
  readonly own: Float64Array;
  /** For slots that were missed before the run. */
  readonly missed: Float64Array;
}

/** The bits of runs, with habits that may come from other runs. */
export function bitsOf(candidate: Candidate, habits: Habits, { times, finest }: Starts): RunBits {
  return bitsUnder(habits, matchTo(candidate, times), { times, finest });
}

/** The same for runs that are matched already. */
export function bitsUnder(
  habits: Habits,
  { slots, slotOf }: Matched,
  { times, finest }: Starts,
): RunBits {
  const own = new Float64Array(times.length);
  const missed = new Float64Array(times.length);
  const { lateness, isEven, hit, enterGap, stayInGap, leaveGap } = habits;
  let before = -1;
  for (let run = 0; run < times.length; run++) {
    const slot = slotOf[run];
    if (slot < 0) {
      own[run] = habits.extra;
      continue;
    }
    const after = (times[run] - slots[slot]) / MINUTE;
    const late = Math.max(0, after);
    const gap = slot + 1 < slots.length ? (slots[slot + 1] - slots[slot]) / MINUTE : 1440;
    if (isEarly(after, finest)) own[run] = habits.own + habits.early;
    else {
      const usual = isEven
        ? (late <= lateness ? (1 - LATER_THAN_EVEN) / lateness : 0) +
          LATER_THAN_EVEN * Math.exp(-late / lateness) / lateness
        : Math.exp(-late / lateness) / lateness;
      own[run] = habits.own + habits.notEarly -
        Math.log2((1 - ANY_LATENESS) * usual + ANY_LATENESS / Math.max(1, gap));
    }
    if (before >= 0) {
      const between = slot - before - 1;
      missed[run] = between === 0 ? hit : enterGap + (between - 1) * stayInGap + leaveGap;
    }
    before = slot;
  }
  return { own, missed };
}
