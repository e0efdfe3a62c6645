/**
 * Which plans a schedule followed, one after the other: the shortest description of all its runs.
 *
 * @module
 */
import { candidatesFor, type CandidateZone } from "./candidates.ts";
import {
  bitsOf,
  type Candidate,
  type Fit,
  fitTo,
  partOf,
  type Starts,
  startsOf,
  unplannedBits,
} from "./cost.ts";
import { knownZones, otherZones } from "./zones.ts";

/** Fewer runs show no plan. */
export const FEWEST_RUNS = 4;
/** A plan has to make runs so many bits shorter, each. */
const LEAST_GAIN = 1.5;
/** Where a plan in the zones that are tried first spares fewer, no other zone is tried. */
const LEAST_GAIN_ELSEWHERE = 1.2;
/** Where it is so regular that chance can't be the reason, so many. */
const LEAST_GAIN_REGULAR = 1;
const REGULAR_RUNS = 50;
const MOST_STRANGE_REGULAR = 0.12;
/** Lateness of more than this part of the time between slots tells little of when they are. */
const WIDE_SPREAD = 0.25;
/** And so does lateness of so many minutes: schedulers are not. */
const WIDE_LATENESS = 45;
const MOST_STRANGE = 0.3;
/** Then, with few runs, a plan has to spare more. */
const WIDE_GAIN = 2.5;
const MANY_RUNS = 60;
/**
 * Of many runs none is without a slot, and none starts shortly before the next one: chance would not
 * leave that out. Then a plan may spare little, as it does where starts are anywhere in an hour.
 */
const MOST_EXTRAS_EXACT = 0.005;
const LATEST_EXACT = 0.93;
const LEAST_GAIN_EXACT = 0.25;
const LEAST_BITS_EXACT = 40;
/** No scheduler is late by more minutes than this again and again. */
const LATEST_SCHEDULER = 60;
const MOST_EXTRAS = 0.03;
/** Where more is missed than met, there is no plan unless it spares so many bits a run. */
const MOST_MISSES = 1;
const SURE_GAIN = 4;
/** No more runs than this are looked at to find a plan; all are to judge it. */
const MOST_FITTED = 280;
/** Bits of a change of plan, beside those of the plan. */
const CHANGE_BITS = 4;
/** How much longer each part at the beginning and the end is than the one before. */
const WINDOW_GROWTH = 1.6;
/** After a change fewer runs show a plan only where it explains all of them, but for one gap. */
const SURE_RUNS = 8;
const SURE_RUNS_WITH_GAP = 6;
/** No plan takes fewer bits. */
const LEAST_PLAN_BITS = 8;
/** With fewer runs every part that may be strange is searched for a plan of its own. */
const ALWAYS_SEARCHED = 150;
/** And with fewer than these every part of all, where the whole is strange. */
const ALL_SEARCHED = 60;
/** No more plans than this are weighed against one another. */
const MOST_PLANS = 12;

/** A time during which a schedule followed a plan, or none. */
export interface Period {
  /** Place of its first run. */
  readonly from: number;
  /** Place after its last run. */
  readonly to: number;
  /** The plan, or null where none can be seen. */
  readonly fit: Fit | null;
}

/**
 * Finds the plans that runs followed.
 *
 * @param times When they started, in order.
 * @param zone The reader's zone.
 * @returns Periods that together are all runs, in order.
 */
export function periodsOf(times: Float64Array, zone: string | undefined): Period[] {
  const count = times.length;
  if (count < FEWEST_RUNS) return [{ from: 0, to: count, fit: null }];
  const starts = startsOf(times);
  const whole = bestFit(starts, zone);
  const isWhole = whole !== null && isPlanFor(whole, starts);
  const strange = isWhole ? strangeness(whole, starts) : null;
  const suspects = [...windowsOf(count)].filter(([from, to]) => strange?.(from, to) ?? true);
  if (isWhole && (suspects.length === 0 || !strange!(0, count))) {
    return [{ from: 0, to: count, fit: whole }];
  }

  const plans = new Map<string, Found>();
  let kept = 0;
  const keep = (fit: Fit | null, part: Starts) => {
    if (!fit || !isPlanFor(fit, part)) return;
    const gain = unplannedBits(part) - fit.bits;
    const before = plans.get(fit.candidate.key);
    if (before && gain <= before.gain) return;
    plans.set(fit.candidate.key, { fit, gain });
    kept++;
  };
  const searched = new Set<string>();
  const find = (from: number, to: number) => {
    if (searched.has(`${from} ${to}`)) return;
    searched.add(`${from} ${to}`);
    const part = partOf(starts, from, to);
    keep(bestFit(part, zone), part);
  };
  keep(whole, starts);
  for (const [from, to] of suspects) find(from, to);
  let periods = bestPath(starts, plans);
  for (let round = 0; round < 2; round++) {
    const before = kept;
    for (const { from, to } of periods) if (to - from >= FEWEST_RUNS) find(from, to);
    // Better habits of a plan that was known change its bits as much as a new plan does.
    if (kept === before) break;
    periods = bestPath(starts, plans);
  }
  return periods;
}

/** A plan with the habits of the runs that it explains best. */
interface Found {
  readonly fit: Fit;
  /** Bits that it spares there. */
  readonly gain: number;
}

/** Whether runs are so much shorter to describe by a plan that chance can't be the reason. */
function isPlanFor(fit: Fit, starts: Starts): boolean {
  const { length } = starts.times;
  const gain = gainOf(fit, starts);
  const strange = (fit.gaps + fit.extras) / length;
  // Where runs come at nearly any time between slots, each has to have its own.
  const isWide = fit.spread > WIDE_SPREAD || fit.habits.lateness > WIDE_LATENESS;
  // Of many runs each has a slot of its own only where there is a plan, however many are missed.
  const isOneToOne = length >= MANY_RUNS && fit.extras <= MOST_EXTRAS * length &&
    fit.habits.lateness <= LATEST_SCHEDULER;
  if (isWide && strange > MOST_STRANGE && !isOneToOne && gain < WIDE_GAIN) return false;
  if (fit.missesPerHit > MOST_MISSES && gain < SURE_GAIN) return false;
  if (gain >= LEAST_GAIN) return true;
  const isExact = length >= MANY_RUNS && fit.extras <= MOST_EXTRAS_EXACT * length &&
    fit.habits.lateness <= LATEST_SCHEDULER && fit.latest < LATEST_EXACT;
  if (isExact && gain >= LEAST_GAIN_EXACT && gain * length >= LEAST_BITS_EXACT) return true;
  return gain >= LEAST_GAIN_REGULAR && length >= REGULAR_RUNS && fit.latest < 0.94 &&
    strange < MOST_STRANGE_REGULAR;
}

/** The plan that explains runs best, as far as the last of them show it. */
function bestFit(starts: Starts, zone: string | undefined): Fit | null {
  const { times } = starts;
  const { length } = times;
  const shown = length > MOST_FITTED ? partOf(starts, length - MOST_FITTED, length) : starts;
  const fitsIn = (zones: readonly CandidateZone[]) =>
    zones.flatMap((each) => shortest(candidatesFor(shown.times, each), shown) ?? []);
  const known = fitsIn(knownZones(zone));
  const usual = shortestOf(known);
  if (usual === null) return null;
  // Other zones move times of day and clock changes: they make no plan of runs at any time.
  const isHopeless = gainOf(usual, shown) < LEAST_GAIN_ELSEWHERE;
  const fits = isHopeless ? known : [...known, ...fitsIn(otherZones(times, zone))];
  const best = shortestOf(fits);
  if (best === null || shown === starts) return best;
  // What the last runs don't show at all, older ones don't either.
  if (!isPlanFor(best, shown)) return null;
  // The last runs may be after a clock change that tells zones apart.
  const changesClocks = fits.some(({ candidate }) =>
    candidate.read.clock.spans(times[0], times[length - 1]).length > 1
  );
  return shortest((changesClocks ? fits : [best]).map(({ candidate }) => candidate), starts);
}

function shortest(candidates: readonly Candidate[], starts: Starts): Fit | null {
  return shortestOf(candidates.map((candidate) => fitTo(candidate, starts)));
}

function shortestOf(fits: readonly Fit[]): Fit | null {
  return fits.reduce<Fit | null>(
    (least, fit) => least === null || fit.bits < least.bits ? fit : least,
    null,
  );
}

/** Bits a run that a plan spares. */
function gainOf(fit: Fit, starts: Starts): number {
  return (unplannedBits(starts) - fit.bits) / starts.times.length;
}

/**
 * Tells of parts of the runs whether they go so badly with a plan that another one may explain them:
 * whether they take more bits than that many runs do elsewhere.
 */
function strangeness(
  { candidate, habits }: Fit,
  starts: Starts,
): (from: number, to: number) => boolean {
  const { own, missed } = bitsOf(candidate, habits, starts);
  const count = own.length;
  const usual = Math.log2(habits.lateness) + 6;
  const sums = new Float64Array(count + 1);
  let squares = 0;
  for (let run = 0; run < count; run++) {
    const bits = Math.max(0, own[run] - usual) + (missed[run] > 1 ? missed[run] : 0);
    sums[run + 1] = sums[run] + bits;
    squares += bits * bits;
  }
  const mean = sums[count] / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  const change = CHANGE_BITS + Math.log2(count) + LEAST_PLAN_BITS;
  return (from, to) => {
    const bits = sums[to] - sums[from];
    // A few runs don't add up to a change, though they may be one side of it.
    if (count <= ALL_SEARCHED) return sums[count] > change;
    if (bits <= change) return false;
    if (count <= ALWAYS_SEARCHED || to - from === count) return true;
    return bits > mean * (to - from) + 2.5 * deviation * Math.sqrt(to - from) + change / 2;
  };
}

/** Parts of a history that may have a plan of their own. */
function windowsOf(count: number): [from: number, to: number][] {
  const windows: [number, number][] = [];
  for (let size = FEWEST_RUNS; size < count; size = Math.ceil(size * WINDOW_GROWTH)) {
    windows.push([0, size], [count - size, count]);
    if (size > MOST_FITTED) break;
  }
  for (const parts of [2, 4, 8]) {
    if (count / parts < 3 * FEWEST_RUNS) break;
    for (let part = 0; part < parts; part++) {
      windows.push([Math.floor(count * part / parts), Math.floor(count * (part + 1) / parts)]);
    }
  }
  return windows;
}

/** Which plan held when: the path of fewest bits through all runs. */
function bestPath(starts: Starts, found: ReadonlyMap<string, Found>): Period[] {
  const { times } = starts;
  const count = times.length;
  const plans = [...found.values()].sort((a, b) => b.gain - a.gain).slice(0, MOST_PLANS)
    .map(({ fit: { candidate, habits } }) => ({
      candidate,
      ...bitsOf(candidate, habits, starts),
    }));
  const none = unplannedCosts(starts);
  const states = plans.length + 1;
  const change = CHANGE_BITS + Math.log2(count);
  // From which state each run's states came, run by run.
  const from = new Uint8Array(states * count);
  let bits = new Float64Array(states);
  let next = new Float64Array(states);
  for (let state = 0; state < plans.length; state++) {
    bits[state] = plans[state].candidate.bits + plans[state].own[0];
  }
  bits[plans.length] = none[0];
  for (let run = 1; run < count; run++) {
    let least = 0;
    for (let state = 1; state < states; state++) if (bits[state] < bits[least]) least = state;
    for (let state = 0; state < states; state++) {
      const plan = plans[state];
      const stay = bits[state] + (plan ? plan.missed[run] : 0);
      const begin = bits[least] + change + (plan ? plan.candidate.bits : 0);
      const own = plan ? plan.own[run] : none[run];
      from[run * states + state] = begin < stay ? least : state;
      next[state] = Math.min(stay, begin) + own;
    }
    [bits, next] = [next, bits];
  }
  const path = new Int16Array(count);
  let state = 0;
  for (let other = 1; other < states; other++) if (bits[other] < bits[state]) state = other;
  for (let run = count - 1; run >= 0; run--) {
    path[run] = state;
    if (run > 0) state = from[run * states + state];
  }
  const periods: Period[] = [];
  for (let begin = 0; begin < count;) {
    let end = begin + 1;
    while (end < count && path[end] === path[begin]) end++;
    const part = partOf(starts, begin, end);
    const plan = plans[path[begin]];
    const fit = plan && end - begin >= FEWEST_RUNS ? fitTo(plan.candidate, part) : null;
    const isSure = fit !== null && isPlanFor(fit, part) &&
      (end - begin === count || isSureAfterChange(fit, end - begin));
    periods.push({ from: begin, to: end, fit: isSure ? fit : null });
    begin = end;
  }
  return periods;
}

function isSureAfterChange({ gaps, extras }: Fit, runs: number): boolean {
  const mostGaps = runs >= SURE_RUNS_WITH_GAP ? 1 : 0;
  return runs >= SURE_RUNS || extras === 0 && gaps <= mostGaps;
}

/** Each run's bits without a plan, by how many come about that time. */
function unplannedCosts({ times, finest }: Starts): Float64Array {
  const around = 8;
  return times.map((_, run) => {
    const begin = Math.max(0, run - around);
    const end = Math.min(times.length - 1, run + around);
    const gap = (times[end] - times[begin]) / 60_000 / Math.max(1, end - begin);
    return Math.log2(Math.max(finest, gap)) + Math.LOG2E;
  });
}
