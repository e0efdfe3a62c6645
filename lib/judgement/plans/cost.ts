/** Computes how many bits it takes to describe runs with a plan: see docs/inference.md. */
import { MINUTE } from "../../time_units.ts";
import { ANY_LATENESS, EVEN_BITS, LATER_THAN_EVEN, MET_BEFORE } from "./constants.ts";
import { type Candidate, type Matched, matchTo } from "./candidates.ts";
import type { Starts } from "./starts.ts";
import { gapVariance, isEarly, type SlotTally, tallyOf, usualCount } from "./tally.ts";

/** How runs usually follow a plan, which determines the bits of each run. */
interface Habits {
  /** Bits of a slot that is met, after one that was met. */
  readonly hit: number;
  /** Bits of a slot that is missed, after one that was met. */
  readonly enterGap: number;
  /** Bits of a slot that is missed, after another. */
  readonly stayInGap: number;
  /** Bits of a slot that is met, after one that was missed. */
  readonly leaveGap: number;
  /** Bits of a run without a slot, and bits to say that a run has one. */
  readonly extra: number;
  readonly notExtra: number;
  /** Bits of an early run, and bits to say that a run is not early. */
  readonly early: number;
  readonly notEarly: number;
  /** Mean lateness in minutes; if `isEven`, the bound up to which any lateness is equally likely. */
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
  /** How many of its last runs may belong to another plan, but are too few to show. Default: 0. */
  readonly undecided?: number | undefined;
  readonly fit: Fit | null;
}

/** Fits a plan to runs: computes how they usually follow it, and the bits of plan and runs. */
export function fitTo(candidate: Candidate, starts: Starts): Fit {
  const matched = matchTo(candidate, starts.times);
  const tally = tallyOf(candidate, matched, starts);
  const habits = habitsOf(tally, matched, starts);
  const { timing, missed } = bitsUnder(habits, matched, starts);
  let bits = candidate.bits + MET_BEFORE * habits.hit;
  for (let run = 0; run < timing.length; run++) bits += timing[run] + missed[run];
  return { ...tally, candidate, habits, bits, gapVariance: gapVariance(tally) };
}

/** The bits of each event, given how frequent it was. */
function habitsOf(
  { lateness, early, extras, hits, gaps, misses }: SlotTally,
  { slots }: Matched,
  starts: Starts,
): Habits {
  const { finest } = starts;
  // Counts half an event more of each kind, because one that never happened may still happen.
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
    notExtra: -Math.log2(1 - extra),
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
  const usual = Math.max(1, usualCount(count));
  let sum = 0;
  for (let at = 0; at < Math.min(usual, count); at++) sum += lateness[at];
  const mean = Math.max(finest, sum / usual);
  const most = Math.max(finest, (lateness[usual - 1] ?? 0) * (1 + 1 / (usual + 1)));
  const isEven = Math.log2(most) + EVEN_BITS < Math.log2(mean) + Math.LOG2E;
  return { lateness: isEven ? most : mean, isEven };
}

function usualGap({ times }: Starts): number {
  return (times[times.length - 1] - times[0]) / MINUTE / Math.max(1, times.length - 1);
}

function earlyMinutes(slots: readonly number[], finest: number): number {
  return slots.length < 2 ? 1 : Math.max(finest, Math.min(1, (slots[1] - slots[0]) / 10 / MINUTE));
}

interface RunBits {
  /** For how late it was, or for having no slot. */
  readonly timing: Float64Array;
  /** For the slots that were missed before it, or for missing none. */
  readonly missed: Float64Array;
}

/** The bits of runs under a plan, with habits that may be those of other runs. */
export function bitsOf(candidate: Candidate, habits: Habits, { times, finest }: Starts): RunBits {
  return bitsUnder(habits, matchTo(candidate, times), { times, finest });
}

/** The same for runs that are already matched to slots. */
export function bitsUnder(
  habits: Habits,
  { slots, slotOf }: Matched,
  { times, finest }: Starts,
): RunBits {
  const timing = new Float64Array(times.length);
  const missed = new Float64Array(times.length);
  const { lateness, isEven, hit, enterGap, stayInGap, leaveGap } = habits;
  let before = -1;
  for (let run = 0; run < times.length; run++) {
    const slot = slotOf[run];
    if (slot < 0) {
      timing[run] = habits.extra;
      continue;
    }
    const minutes = (times[run] - slots[slot]) / MINUTE;
    const late = Math.max(0, minutes);
    const gap = slot + 1 < slots.length ? (slots[slot + 1] - slots[slot]) / MINUTE : 1440;
    if (isEarly(minutes, finest)) timing[run] = habits.notExtra + habits.early;
    else {
      const usual = isEven
        ? (late <= lateness ? (1 - LATER_THAN_EVEN) / lateness : 0) +
          LATER_THAN_EVEN * Math.exp(-late / lateness) / lateness
        : Math.exp(-late / lateness) / lateness;
      timing[run] = habits.notExtra + habits.notEarly -
        Math.log2((1 - ANY_LATENESS) * usual + ANY_LATENESS / Math.max(1, gap));
    }
    if (before >= 0) {
      const between = slot - before - 1;
      missed[run] = between === 0 ? hit : enterGap + (between - 1) * stayInGap + leaveGap;
    }
    before = slot;
  }
  return { timing, missed };
}
