/** The plan that explains runs best, and whether it explains them well enough. */
import * as constants from "./constants.ts";
import {
  type Candidate,
  candidatesFor,
  type CandidateZone,
  matchTo,
  onOtherDays,
} from "./candidates.ts";
import { bitsOf, type Fit, fitTo } from "./cost.ts";
import { partOf, type Starts, startsOf, unplannedBits } from "./starts.ts";
import type { ReadPlan } from "./slot_times.ts";
import { comeSeldom, knownZones, LATELY, otherZones, zonesChangedLately } from "./zones/zones.ts";

/** Whether a plan saves too many bits to be chance. */
export function isPlanFor(fit: Fit, starts: Starts): boolean {
  const { length } = starts.times;
  const gain = gainOf(fit, starts);
  if (alternates(fit, length) || hasOtherInterval(fit, starts)) return false;
  if (gain >= constants.MIN_GAIN) return true;
  const isExact = length >= constants.MANY_RUNS &&
    fit.extras <= constants.MAX_EXTRAS_EXACT * length &&
    fit.habits.lateness <= constants.LATEST_SCHEDULER && fit.latest < constants.LATEST_EXACT;
  if (
    isExact && gain >= constants.MIN_GAIN_EXACT && gain * length >= constants.MIN_BITS_EXACT
  ) return true;
  return gain >= constants.MIN_GAIN_REGULAR && length >= constants.REGULAR_RUNS &&
    fit.latest < constants.LATEST_REGULAR &&
    fit.gaps + fit.extras < constants.MAX_STRANGE_REGULAR * length;
}

/** Whether runs alternate between several habits, of which a plan covers at most one. */
function alternates({ gaps, gapVariance, extras }: Fit, runs: number): boolean {
  const afterMiss = gaps / Math.max(1, runs - extras);
  return afterMiss > constants.MAX_AFTER_MISS && gapVariance < constants.MIN_VARIANCE ||
    extras > constants.MAX_MOVED * runs && afterMiss > constants.MAX_MOVED_AFTER_MISS;
}

/** Whether runs have an interval that few slots have: 7 minutes are not 6 with some misses. */
function hasOtherInterval({ candidate }: Fit, starts: Starts): boolean {
  const times = starts.times.subarray(-constants.MAX_FITTED);
  if (times.length < constants.MIN_IN_INTERVAL) return false;
  const between = gapsOf(times);
  const usual = between.toSorted()[between.length >> 1];
  const isUsual = (gap: number) => Math.abs(gap - usual) <= usual * constants.SAME_INTERVAL;
  if (between.filter(isUsual).length < constants.MAX_IN_INTERVAL * between.length) return false;
  const slots = gapsOf(Float64Array.from(matchTo(candidate, times).slots));
  return slots.filter(isUsual).length < constants.FEW_IN_INTERVAL * slots.length;
}

function gapsOf(times: Float64Array): Float64Array {
  return times.subarray(1).map((time, at) => time - times[at]);
}

/** The plan that explains runs best; of many runs, the latest ones propose the candidates. */
export function bestFit(starts: Starts, zone: string | undefined): Fit | null {
  const { times } = starts;
  const { length } = times;
  const latest = length > constants.MAX_FITTED
    ? partOf(starts, length - constants.MAX_FITTED, length)
    : starts;
  const fitsIn = (zones: readonly CandidateZone[]) =>
    zones.flatMap((zone) => shortest(candidatesFor(latest.times, zone), latest) ?? []);
  const known = fitsIn(knownZones(zone));
  const usual = shortestOf(known);
  if (usual === null) return null;
  // If runs come at any time, other zones don't help.
  const least = comeSeldom(times) ? constants.MIN_GAIN_SELDOM : constants.MIN_GAIN_ELSEWHERE;
  const isHopeless = gainOf(usual, latest) < least;
  const changed = isStrangeLately(usual, latest) ? zonesChangedLately(times, zone) : [];
  const others = otherZones(times, zone).filter(({ clock }) =>
    !changed.some((other) => other.clock === clock)
  );
  const fits = isHopeless ? known : [...known, ...fitsIn([...changed, ...others])];
  const best = shortestOf(fits);
  if (best === null || latest === starts) return best;
  // If the latest runs show no plan at all, older runs don't either.
  if (!isPlanFor(best, latest)) return null;
  // Only older runs may span a clock change, which distinguishes zones.
  const changesClocks = fits.some(({ candidate }) =>
    candidate.read.clock.spans(times[0], times[length - 1]).length > 1
  );
  const likely = changesClocks
    ? fits
    : fits.toSorted((a, b) => a.bits - b.bits).slice(0, constants.MAX_WEIGHED);
  // The latest runs may also span too few days to show the days of the week.
  const isShort = latest.times[constants.MAX_FITTED - 1] - latest.times[0] < constants.SHOWN_WEEKS;
  const candidates = new Map(likely.map(({ candidate }) => [candidate.key, candidate]));
  for (const { candidate } of isShort ? likely : []) {
    for (const other of onOtherDays(candidate, times)) candidates.set(other.key, other);
  }
  return shortest([...candidates.values()], starts);
}

/** Other plans that explain the runs of a plan nearly as well: too few runs distinguish them. */
export function rivalsOf(best: Fit, times: Float64Array, zone: string | undefined): ReadPlan[] {
  const isWeekly = best.candidate.reach < constants.LONG_REACH;
  if (isWeekly || times.length > constants.ALL_SEARCHED || !comeSeldom(times)) return [];
  const zones = [...knownZones(zone), ...otherZones(times, zone)];
  const starts = startsOf(times);
  return zones.flatMap((each) => candidatesFor(times, each, constants.MAX_RIVAL_DAYS))
    .filter(({ key }) => key !== best.candidate.key)
    .filter((other) => fitTo(other, starts).bits < best.bits + constants.CHANCE_BITS)
    .map(({ read }) => read);
}

/** Whether a run after a recent clock change would cost much less in another zone. */
function isStrangeLately({ candidate, habits }: Fit, starts: Starts): boolean {
  const { times } = starts;
  const { timing, missed } = bitsOf(candidate, habits, starts);
  const from = times[times.length - 1] - LATELY;
  const usual = Math.log2(habits.lateness) + constants.STRANGE_BITS;
  return times.some((time, run) => time >= from && timing[run] + missed[run] > usual);
}

function shortest(candidates: readonly Candidate[], starts: Starts): Fit | null {
  const fits = candidates.map((candidate) => fitTo(candidate, starts));
  return shortestOf(fits.filter(({ standsIn }) => !standsIn));
}

function shortestOf(fits: readonly Fit[]): Fit | null {
  return fits.reduce<Fit | null>(
    (least, fit) => least === null || fit.bits < least.bits ? fit : least,
    null,
  );
}

/** Bits that a plan saves for each run. */
function gainOf(fit: Fit, starts: Starts): number {
  return (unplannedBits(starts) - fit.bits) / starts.times.length;
}
