/** Proposes zones for a plan: the reader's, UTC, and those in which runs are more regular. */
import { DAY, MINUTE } from "../../../time_units.ts";
import type { CandidateZone } from "../candidates.ts";
import { clockOf, type ZoneClock } from "../../../zone_clock.ts";

/** Bits of any other zone than the reader's and UTC, and of each more common zone. */
const OTHER_ZONE_BITS = 4;
const RANK_BITS = 0.1;
/** A zone has to make times of day and weekdays this much more regular, in bits for each run. */
const MIN_GAIN = 0.01;
/** Sums of the same numbers in another order differ by less than this. */
const ROUNDING = 1e-6;
const MAX_ZONES = 3;
/** Runs this far apart are few, and their plan depends most on when days and weeks begin. */
const SELDOM = 5 * DAY;
const MAX_ZONES_SELDOM = 8;
/** A clock change this close to the newest run shows in too few runs to count. */
export const LATELY: number = 8 * DAY;
/** How many of the most common zones to expect clock changes in. */
const MAX_CHANGING = 9;
/** Of many runs, this many samples are used, with this many runs each. */
const SAMPLES = 60;
const SAMPLE_RUNS = 100;

/** One zone for each set of clock changes, the most common first, then some without changes. */
const REPRESENTATIVES: readonly string[] = [
  "Europe/Berlin",
  "America/New_York",
  "Europe/London",
  "America/Los_Angeles",
  "America/Chicago",
  "Australia/Sydney",
  "Pacific/Auckland",
  "Europe/Helsinki",
  "America/Denver",
  "Asia/Tokyo",
  "Asia/Kolkata",
  "Asia/Shanghai",
  "America/Sao_Paulo",
  "Asia/Dubai",
  "Asia/Bangkok",
  "America/Halifax",
  "America/Anchorage",
  "America/St_Johns",
  "Atlantic/Azores",
  "Australia/Adelaide",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Jerusalem",
  "Asia/Beirut",
  "America/Havana",
  "Antarctica/Troll",
  "Africa/Nairobi",
  "Africa/Lagos",
  "Asia/Karachi",
  "America/Bogota",
  "America/Phoenix",
  "Pacific/Honolulu",
  "Australia/Brisbane",
  "Pacific/Fiji",
  "Pacific/Pago_Pago",
  "Asia/Kathmandu",
  "Pacific/Chatham",
];

export function commonZones(): string[] {
  return ["UTC", ...REPRESENTATIVES.slice(0, MAX_CHANGING)];
}

export function knownZones(preferred = "UTC"): CandidateZone[] {
  const zones = [{ clock: clockOf(preferred), bits: 0 }];
  if (preferred !== "UTC") zones.push({ clock: clockOf("UTC"), bits: 1 });
  return zones;
}

/** The most common zones whose clocks changed lately, because a single run may show such a zone. */
export function zonesChangedLately(all: Float64Array, preferred = "UTC"): CandidateZone[] {
  const end = all[all.length - 1];
  const newest = all.filter((time) => time >= end - LATELY);
  const countBefore = (moment: number) => newest.filter((time) => time < moment).length;
  const shifts = (clock: ZoneClock) => {
    const [first, ...later] = clock.spans(end - LATELY, end + 1);
    return later.map(({ start, offset }) => `${countBefore(start)} ${offset - first.offset}`)
      .join();
  };
  const seen = new Set(knownZones(preferred).map(({ clock }) => shifts(clock)));
  return REPRESENTATIVES.flatMap((zone, rank) => {
    const clock = clockOf(zone);
    const key = shifts(clock);
    if (seen.has(key)) return [];
    seen.add(key);
    return { clock, bits: OTHER_ZONE_BITS + RANK_BITS * rank };
  }).slice(0, MAX_ZONES);
}

export function otherZones(all: Float64Array, preferred = "UTC"): CandidateZone[] {
  const times = samplesOf(all);
  const known = knownZones(preferred).map(({ clock }) => clock);
  const usual = Math.min(...known.map((clock) => disorderOf(clock.toLocal(times))));
  const isSeldom = comeSeldom(all);
  const seen = new Set(known.map((clock) => daysKey(clock, times)));
  return REPRESENTATIVES.filter((zone) => zone !== preferred)
    .map((zone, rank) => {
      const clock = clockOf(zone);
      const disorder = disorderOf(clock.toLocal(times));
      return { clock, disorder, bits: OTHER_ZONE_BITS + RANK_BITS * rank };
    })
    .filter(({ disorder }) => isSeldom ? disorder <= usual : disorder < usual - MIN_GAIN)
    .sort((a, b) => (a.disorder - b.disorder) * times.length + a.bits - b.bits)
    .filter(({ clock }) => {
      const key = daysKey(clock, times);
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, isSeldom ? MAX_ZONES_SELDOM : MAX_ZONES)
    .map(({ clock, bits }) => ({ clock, bits }));
}

/** Whether runs are so far apart that the zone decides on which days and in which weeks they are. */
export function comeSeldom(times: Float64Array): boolean {
  const last = times.length - 1;
  return (times[last] - times[0]) / last > SELDOM;
}

/** A key that is equal for zones with constant offsets that put all runs on the same days. */
function daysKey(clock: ZoneClock, times: Float64Array): string {
  if (clock.spans(times[0], times[times.length - 1]).length > 1) return clock.zone;
  return clock.toLocal(times).map((time) => Math.floor(time / DAY)).join();
}

/** Samples of consecutive runs from the whole history, if there are many. */
function samplesOf(all: Float64Array): Float64Array {
  if (all.length <= SAMPLES * SAMPLE_RUNS) return all;
  const times = new Float64Array(SAMPLES * SAMPLE_RUNS);
  for (let sample = 0; sample < SAMPLES; sample++) {
    const begin = Math.floor(sample * (all.length - SAMPLE_RUNS) / (SAMPLES - 1));
    times.set(all.subarray(begin, begin + SAMPLE_RUNS), sample * SAMPLE_RUNS);
  }
  return times;
}

/** How irregular local times of day and weekdays are: their entropy, in bits for each run. */
function disorderOf(local: Float64Array): number {
  const ofDay = new Uint32Array(288);
  const ofWeek = new Uint32Array(7);
  for (const time of local) {
    const day = Math.floor(time / DAY);
    ofDay[Math.floor((time - day * DAY) / (5 * MINUTE))]++;
    ofWeek[((day % 7) + 7) % 7]++;
  }
  const bits = entropyOf(ofDay, local.length) + entropyOf(ofWeek, local.length);
  return Math.round(bits / ROUNDING) * ROUNDING;
}

function entropyOf(counts: Uint32Array, total: number): number {
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= count / total * Math.log2(count / total);
  return bits;
}
