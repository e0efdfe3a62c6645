/**
 * How many bits it takes to describe runs, with a plan or without one. The plan with the shortest
 * description is the most likely one.
 */
import type { DayChoice } from "./days/day_choice.ts";
import type { Group } from "./fixed_times.ts";
import { matchSlots } from "./match.ts";
import { type ReadPlan, slotTimes } from "./slots.ts";
import type { Starts } from "./starts.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** If any lateness up to a bound is equally likely, this share of the runs are later still. */
const LATER_THAN_EVEN = 0.07;
/** This share of the runs may be late by any amount. */
const ANY_LATENESS = 0.03;

/** A run that is early by at most this share of the finest difference is on time. */
const ON_TIME_PART = 1 / 6;

/**
 * Few schedules miss much: before any run, a plan counts as if so many slots had been met. Their
 * bits are what it takes to say that it misses more.
 */
const MET_BEFORE = 3;

/** What takes so many bits is no chance. */
const CHANCE_BITS = 6;

/**
 * A pause is one gap, however many slots it spans, so it counts against a plan as at most this
 * many.
 */
const LONG_GAP = 4;

/** Gaps are alike if their lengths vary by less than this share of what chance would give. */
const LIKE_VARIANCE = 0.1;

/** A candidate plan. */
export interface Candidate {
  /** The same for the same plan. */
  readonly key: string;
  readonly cron: readonly string[];
  readonly read: ReadPlan;
  /** Bits of the plan itself, including those of its zone. */
  readonly bits: number;
  readonly zoneBits: number;
  /** No slot is further than this from the next one, in milliseconds. */
  readonly reach: number;
  /** Times of day, each with its days. */
  readonly parts: readonly { readonly group: Group; readonly choice: DayChoice }[];
}

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
  /** Bits of a run without a slot. */
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

/** Each run's bits under a plan. */
export interface RunBits {
  /** For lateness, or for having no slot. */
  readonly own: Float64Array;
  /** For slots that were missed before the run. */
  readonly missed: Float64Array;
}

/** The fit of a plan to some runs. */
export interface Fit {
  readonly candidate: Candidate;
  readonly habits: Habits;
  /** Bits of the plan and the runs. */
  readonly bits: number;
  /** How often one or more slots in a row were missed. */
  readonly gaps: number;
  /**
   * How much the number of missed slots between met ones varies, as a share of how much it would if
   * slots were missed at random.
   */
  readonly gapVariance: number;
  /** Whether nearly all gaps have the same length, of two slots or more. */
  readonly hasLikeGaps: boolean;
  /** Slots missed for each one that was met; of a long gap only the first few count. */
  readonly missesPerHit: number;
  /** Whether runs come at one time of day instead of another, so that one of them is no slot. */
  readonly standsIn: boolean;
  /** Runs without a slot. */
  readonly extras: number;
  /** The greatest lateness, as a share of the time to the next slot. */
  readonly latest: number;
  /** The usual lateness, as a share of the usual time between runs. */
  readonly spread: number;
}

/** Slots of a plan about the time of some runs, and the place of each run's slot, or -1. */
export interface Matched {
  readonly slots: readonly number[];
  readonly slotOf: Int32Array;
}

/** Matches runs to the slots of a plan. */
export function matchTo({ read, reach }: Candidate, times: Float64Array): Matched {
  const slots = slotTimes(read, times[0] - reach, times[times.length - 1] + reach);
  return { slots, slotOf: matchSlots(slots, times) };
}

/** Fits a plan to runs: finds out what is usual under it, and how many bits the runs then take. */
export function fitTo(candidate: Candidate, { times, finest }: Starts): Fit {
  const matched = matchTo(candidate, times);
  const { slots, slotOf } = matched;
  const latenesses = new Float64Array(times.length);
  let matchedCount = 0;
  let [extras, early, hits, entered, misses, latest, before] = [0, 0, 0, 0, 0, 0, -1];
  let [shortMisses, squares] = [0, 0];
  const pairs = new Map<number, Pairs>();
  const isOfParts = candidate.parts.length > 1;
  const count = (slot: number, which: keyof Pairs) => {
    if (!isOfParts) return;
    const ofDay = slots[slot] % DAY;
    const known = pairs.get(ofDay) ?? { both: 0, one: 0 };
    pairs.set(ofDay, known);
    known[which]++;
  };
  for (let run = 0; run < times.length; run++) {
    const slot = slotOf[run];
    if (slot < 0) {
      extras++;
      continue;
    }
    const late = (times[run] - slots[slot]) / MINUTE;
    if (isEarly(late, finest)) early++;
    latenesses[matchedCount++] = Math.max(0, late);
    if (slot + 1 < slots.length) {
      latest = Math.max(latest, late * MINUTE / (slots[slot + 1] - slots[slot]));
    }
    if (before >= 0) {
      if (slot === before + 1) {
        hits++;
        count(slot, "both");
      } else {
        count(slot, "one");
        count(before + 1, "one");
        entered++;
        misses += slot - before - 1;
        squares += (slot - before - 1) ** 2;
        shortMisses += Math.min(LONG_GAP, slot - before - 1);
      }
    }
    before = slot;
  }
  const lateness = latenesses.subarray(0, matchedCount).sort();
  // Of few runs, too, one may be late for a reason of its own.
  const kept = Math.max(1, matchedCount - Math.max(1, Math.round(matchedCount * 0.05)));
  let sum = 0;
  for (let at = 0; at < Math.min(kept, matchedCount); at++) sum += lateness[at];
  const mean = Math.max(finest, matchedCount > 0 ? sum / kept : 1);
  const most = Math.max(finest, evenBound(lateness, kept));
  const isEven = Math.log2(most) + 0.2 < Math.log2(mean) + Math.LOG2E;
  const entering = (entered + 0.5) / (hits + entered + 1);
  const staying = (misses - entered + 0.5) / (misses + 1);
  const extra = (extras + 0.5) / (times.length + 1);
  const earlyPart = Math.min(0.5, (early + 0.5) / (matchedCount + 1));
  const gap = (times[times.length - 1] - times[0]) / MINUTE / Math.max(1, times.length - 1);
  const habits = {
    hit: -Math.log2(1 - entering),
    enterGap: Math.max(1, -Math.log2(entering)),
    stayInGap: -Math.log2(staying),
    leaveGap: Math.max(1, -Math.log2(1 - staying)),
    extra: -Math.log2(extra) + Math.log2(Math.max(1, gap)) + Math.LOG2E,
    own: -Math.log2(1 - extra),
    early: -Math.log2(earlyPart) + Math.log2(earlyMinutes(slots, finest)),
    notEarly: -Math.log2(1 - earlyPart),
    lateness: isEven ? most : mean,
    isEven,
  };
  const between = misses / Math.max(1, hits + entered);
  const variance = squares / Math.max(1, hits + entered) - between ** 2;
  const missesPerHit = shortMisses / Math.max(1, matchedCount);
  const { own, missed } = bitsUnder(habits, matched, { times, finest });
  let bits = candidate.bits + MET_BEFORE * habits.hit;
  for (let run = 0; run < times.length; run++) bits += own[run] + missed[run];
  return {
    candidate,
    habits,
    bits,
    gaps: entered,
    gapVariance: misses === 0 ? 1 : variance / (between * (between + 1)),
    hasLikeGaps: areAlike(entered, misses, squares),
    missesPerHit,
    extras,
    latest,
    standsIn: isOfParts &&
      neverBoth(pairs, (hits + entered) / Math.max(1, hits + entered + misses)),
    spread: habits.lateness / Math.max(finest, gap),
  };
}

/**
 * The bound up to which any lateness is equally likely, given sorted latenesses of which the first
 * `kept` are within it. Of the later ones, as many are too as make for the fewest bits.
 */
function evenBound(lateness: Float64Array, kept: number): number {
  const { length } = lateness;
  // A run just beyond the bound takes so many bits more than one within it.
  const beyondBits = Math.log2((1 - LATER_THAN_EVEN) / LATER_THAN_EVEN) + Math.LOG2E;
  let [within, least] = [kept, Infinity];
  for (let count = kept; count <= length; count++) {
    const bits = length * Math.log2(lateness[count - 1]) + (length - count) * beyondBits;
    if (bits < least) [within, least] = [count, bits];
  }
  return (lateness[within - 1] ?? 1) * (1 + 1 / (within + 1));
}

/** How often the slots at a time of day were met as well as the ones before, or instead of them. */
interface Pairs {
  both: number;
  one: number;
}

/** Whether, for any time of day, never both were met, though chance would have met both. */
function neverBoth(pairs: ReadonlyMap<number, Pairs>, met: number): boolean {
  const bits = -Math.log2(1 - met / (2 - met));
  return [...pairs.values()].some(({ both, one }) => both === 0 && one * bits > CHANCE_BITS);
}

/** Whether gaps are alike, from their number, the slots in all of them, and the sum of squares. */
function areAlike(gaps: number, slots: number, squares: number): boolean {
  const mean = slots / Math.max(1, gaps);
  const atRandom = mean * (mean - 1);
  return mean >= 2 && squares / gaps - mean ** 2 < LIKE_VARIANCE * atRandom;
}

/** Whether a run is early by more than the seconds by which clocks differ. */
function isEarly(late: number, finest: number): boolean {
  return late < -finest * ON_TIME_PART;
}

function earlyMinutes(slots: readonly number[], finest: number): number {
  return slots.length < 2 ? 1 : Math.max(finest, Math.min(1, (slots[1] - slots[0]) / 10 / MINUTE));
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
