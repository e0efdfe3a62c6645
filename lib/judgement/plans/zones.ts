/** Proposes zones for a plan: the reader's, UTC, and those in which runs are more regular. */
import { groupBy } from "../../group_by.ts";
import { DAY, MINUTE } from "../../time_units.ts";
import { clockOf, type ZoneClock } from "../../zone_clock.ts";
import type { CandidateZone } from "./candidates.ts";
import { weekdayOf } from "./due_days.ts";
import * as numbers from "./numbers.ts";

/** Zones that differ in offset or clock changes, roughly the most common first. */
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

/** The zones to look for a plan in; every other zone has to save the bits that it takes. */
export function zonesFor(times: Float64Array, preferred = "UTC"): CandidateZone[] {
  const known: CandidateZone[] = [{ clock: clockOf(preferred), bits: 0 }];
  if (preferred !== "UTC") known.push({ clock: clockOf("UTC"), bits: numbers.ZONE_BITS.utc });
  // By all clocks alike: where they go forward, eight daily runs are less than a week apart.
  const isShort = times[times.length - 1] - times[0] < 7 * DAY;
  const disorderIn = (clock: ZoneClock) => measureDisorder(clock.toLocal(times), isShort);
  const usual = Math.min(...known.map(({ clock }) => disorderIn(clock)));
  const others = REPRESENTATIVES.map((zone, rank) => {
    const bits = numbers.ZONE_BITS.firstOther + numbers.ZONE_BITS.eachFurther * rank;
    return { clock: clockOf(zone), bits, total: disorderIn(clockOf(zone)) + bits };
  }).sort((a, b) => a.total - b.total);
  const moreRegular = others.filter(({ total }) => total < usual);
  const zones = [...known, ...moreRegular.slice(0, numbers.MAX_OTHER_ZONES)];
  const daysApart = (times[times.length - 1] - times[0]) / DAY / times.length;
  if (daysApart < numbers.SELDOM_DAYS) return zones;
  // The zone decides the dates of runs that are days apart: the 1st in Tokyo is the 31st in UTC.
  const byDates = groupBy(
    [...known, ...others],
    ({ clock }) => clock.toLocal(times).map((time) => Math.floor(time / DAY)).join(),
  );
  const first = [...byDates.values()].map(([zone]) => zone).slice(0, numbers.MAX_ZONES_BY_DATE);
  return [...new Set([...zones, ...first])];
}

/**
 * How irregular local times of day and weekdays are: their entropy, in bits. The weekdays of less than
 * a week say only when it began.
 */
function measureDisorder(local: Float64Array, isShort: boolean): number {
  // Five-minute bins of a day, and weekdays.
  const [ofDay, ofWeek] = [new Uint32Array(288), new Uint32Array(7)];
  for (const time of local) {
    const day = Math.floor(time / DAY);
    ofDay[Math.floor((time - day * DAY) / (5 * MINUTE))]++;
    ofWeek[weekdayOf(day)]++;
  }
  return entropy(ofDay) + (isShort ? 0 : entropy(ofWeek));
}

function entropy(counts: Uint32Array): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= count * Math.log2(count / total);
  return bits;
}
