/** The plan that explains runs best, and whether it explains them well enough to be one. */
import { candidatesFor, type CandidateZone } from "./candidates.ts";
import { type Candidate, type Fit, fitTo, partOf, type Starts, unplannedBits } from "./cost.ts";
import { knownZones, otherZones } from "./zones.ts";

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
/**
 * Where so many runs come after a miss, two habits take turns: each alone may be a plan, or nothing
 * that can be said as one. Not so where slots are missed at random: then gaps are of all lengths.
 */
const MOST_AFTER_MISS = 0.6;
const LEAST_VARIANCE = 0.46;
/** Where so many come after gaps of one length, as of every other day, the gaps are a habit too. */
const MOST_AFTER_LIKE_GAPS = 0.3;
const FEWEST_LIKE_GAPS = 4;
/**
 * Where so many runs have no slot, and so many come after a miss, the runs moved from the slots.
 * Runs without a slot beside slots that are met were started by hand.
 */
const MOST_MOVED = 0.3;
const MOST_MOVED_AFTER_MISS = 0.2;
/** Of the best plans of the last runs so many are compared by all runs. */
const MOST_WEIGHED = 3;
/** No more runs than this are looked at to find a plan; all are to judge it. */
export const MOST_FITTED = 280;

/** Whether runs are so much shorter to describe by a plan that chance can't be the reason. */
export function isPlanFor(fit: Fit, starts: Starts): boolean {
  const { length } = starts.times;
  const gain = gainOf(fit, starts);
  const strange = (fit.gaps + fit.extras) / length;
  if (takesTurns(fit, length)) return false;
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

/** Whether runs take turns between several habits, of which the plan is none or only one. */
function takesTurns(
  { gaps, gapVariance, hasLikeGaps, extras }: Fit,
  runs: number,
): boolean {
  const afterMiss = gaps / Math.max(1, runs - extras);
  if (hasLikeGaps && gaps >= FEWEST_LIKE_GAPS && afterMiss > MOST_AFTER_LIKE_GAPS) return true;
  return afterMiss > MOST_AFTER_MISS && gapVariance < LEAST_VARIANCE ||
    extras > MOST_MOVED * runs && afterMiss > MOST_MOVED_AFTER_MISS;
}

/** The plan that explains runs best, as far as the last of them show it. */
export function bestFit(starts: Starts, zone: string | undefined): Fit | null {
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
  // And they may be too few days to show the days of the week.
  const likely = changesClocks
    ? fits
    : fits.toSorted((a, b) => a.bits - b.bits).slice(0, MOST_WEIGHED);
  return shortest(likely.map(({ candidate }) => candidate), starts);
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
