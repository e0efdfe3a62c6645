/** Proposes plans from the local times of day and the days of runs. */
import { DAY, MINUTE } from "../../time_units.ts";
import { type CronRule, readTimes } from "./cron.ts";
import { type DayChoice, weekOf } from "./days/due_days.ts";
import { bestDays, rangesOf } from "./days/day_choices.ts";
import { fixedGroups, type Group } from "./fixed_times.ts";
import { matchSlots } from "./match.ts";
import { type ReadPlan, slotTimes } from "./slot_times.ts";
import { stepGroups } from "./steps.ts";
import type { ZoneClock } from "../../zone_clock.ts";

const DAY_MINUTES = 1440;
/** At most this many groups of times of day get different days. */
const MAX_OWN_DAYS = 4;

export interface CandidateZone {
  readonly clock: ZoneClock;
  /** Bits to name the zone: none for the reader's own. */
  readonly bits: number;
}

export interface Candidate {
  /** Identifies the plan. */
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

/** The slots of a plan around some runs, and the index of each run's slot, or -1. */
export interface Matched {
  readonly slots: readonly number[];
  readonly slotOf: Int32Array;
}

export function matchTo({ read, reach }: Candidate, times: Float64Array): Matched {
  const slots = slotTimes(read, times[0] - reach, times[times.length - 1] + reach);
  return { slots, slotOf: matchSlots(slots, times) };
}

/** Plans that may explain sorted runs, each group of times of day on up to `most` sets of days. */
export function candidatesFor(
  times: Float64Array,
  zone: CandidateZone,
  most?: number,
): Candidate[] {
  const local = zone.clock.toLocal(times);
  const found = new Map<string, Candidate>();
  for (const groups of [...fixedGroups(local), ...stepGroups(local)]) {
    for (const candidate of candidatesOf(groups, zone, most)) {
      // Fixed times and steps may give the same plan at different costs.
      const other = found.get(candidate.key);
      if (!other || candidate.bits < other.bits) found.set(candidate.key, candidate);
    }
  }
  return [...found.values()];
}

/** Plans with groups of times: up to `most` with equal days for all, and one with days for each. */
function* candidatesOf(
  groups: readonly Group[],
  zone: CandidateZone,
  most?: number,
): Generator<Candidate> {
  const used = groups.filter(({ days }) => days.length > 0);
  if (used.length === 0) return;
  const all = [...new Set(used.flatMap(({ days }) => days))].sort((a, b) => a - b);
  const [from, through] = [all[0], all.at(-1)!];
  const times = used.reduce((sum, { minutes }) => sum + minutes.length, 0);
  const best = bestDays(all, from, through, times, most);
  for (const choice of best.slice(0, most ?? (used.length > 1 ? 2 : 3))) {
    yield candidateOf(used.map((group) => ({ group, choice })), zone);
  }
  if (used.length === 1 || used.length > MAX_OWN_DAYS) return;
  const own = used.map((group) => ({
    group,
    choice: bestDays(group.days, from, through, group.minutes.length)[0],
  }));
  const weeks = own.map(({ choice }) => choice.weeks ? `${choice.weeks.n}` : "");
  if (new Set(weeks).size === 1 && weeks[0] === "") yield candidateOf(own, zone);
}

/** Plans with the times of day of a candidate, and the days that best fit more runs. */
export function onOtherDays(
  { parts, read: { clock }, zoneBits }: Candidate,
  times: Float64Array,
): Iterable<Candidate> {
  const local = clock.toLocal(times);
  const days = parts.map(() => new Set<number>());
  // The part that is due at or before each minute of the day; -1 before the first.
  const partAt = new Int8Array(DAY_MINUTES).fill(-1);
  parts.forEach(({ group }, part) => group.minutes.forEach((minute) => partAt[minute] = part));
  for (let at = 1; at < DAY_MINUTES; at++) if (partAt[at] < 0) partAt[at] = partAt[at - 1];
  for (const time of local) {
    // A run a minute early still belongs to its slot.
    const minute = Math.floor(time / MINUTE) + 1;
    const day = Math.floor(minute / DAY_MINUTES);
    const part = partAt[minute - day * DAY_MINUTES];
    // Before the first time of day, it is late for the last one of the day before.
    if (part < 0) days[partAt[DAY_MINUTES - 1]].add(day - 1);
    else days[part].add(day);
  }
  const groups = parts.map(({ group }, part) => ({ ...group, days: [...days[part]] }));
  // The number of runs on each day is not known here, so the second best may be the right one.
  return candidatesOf(groups, { clock, bits: zoneBits }, 2);
}

/** A plan with all times of day moved by some minutes; null if one would be on another day. */
export function movedBy(minutes: number, { parts, read }: Candidate): Candidate | null {
  const moved = parts.map(({ group, choice }) => ({
    group: { ...group, minutes: group.minutes.map((minute) => minute + minutes) },
    choice,
  }));
  const isSameDay = (minute: number) => minute >= 0 && minute < DAY_MINUTES;
  if (!moved.every(({ group }) => group.minutes.every(isSameDay))) return null;
  return candidateOf(moved, { clock: read.clock, bits: 0 });
}

/** A plan with the days of another, if times were only added or only removed; null otherwise. */
export function onDaysOf(
  other: Candidate,
  { parts, read: { clock } }: Candidate,
): Candidate | null {
  const [{ choice }, ...others] = other.parts;
  if (other.read.clock !== clock || others.some((part) => part.choice !== choice)) return null;
  const [minutes, before] = [parts, other.parts].map((all) =>
    new Set(all.flatMap(({ group }) => group.minutes))
  );
  if (!minutes.isSubsetOf(before) && !before.isSubsetOf(minutes)) return null;
  return candidateOf(parts.map(({ group }) => ({ group, choice })), { clock, bits: 0 });
}

function candidateOf(parts: Candidate["parts"], zone: CandidateZone): Candidate {
  const byDays = [...Map.groupBy(parts, ({ choice }) => choice.fields.join(";")).values()];
  const choices = byDays.map(([{ choice }]) => choice);
  const bits = [...choices, ...parts.map(({ group }) => group)]
    .reduce((sum, each) => sum + each.bits, zone.bits);
  const cron: string[] = [];
  const rules: CronRule[] = [];
  for (const [index, choice] of choices.entries()) {
    for (const time of timeFields(byDays[index].flatMap(({ group }) => group.minutes))) {
      const [minuteField, hourField] = time.split(" ");
      const times = readTimes(minuteField, hourField);
      choice.rules.forEach((days, at) => {
        cron.push(`${time} ${choice.fields[at]}`);
        rules.push({ ...times, days });
      });
    }
  }
  const { weeks } = parts[0].choice;
  return {
    key: `${zone.clock.zone} ${cron.join(";")} ${weeks ? `${weeks.rest}/${weeks.n}` : ""}`,
    cron,
    read: { rules, clock: zone.clock, weeks },
    bits,
    zoneBits: zone.bits,
    reach: Math.min(...choices.map(reachOf)),
    parts,
  };
}

/** The longest time between two days of a choice, in milliseconds. */
function reachOf({ fields, weeks }: DayChoice): number {
  const [day, month, weekday] = fields[0].split(" ");
  if (month !== "*") return 370 * DAY;
  if (day !== "*") return 64 * DAY;
  if (/[#]/.test(weekday)) return 64 * DAY;
  if (weeks) return (7 * weeks.n + 8) * DAY;
  return weekday === "*" ? 3 * DAY : 9 * DAY;
}

/** The Monday from which every nth week is counted, such as `2026-01-05`. */
export function weeksFrom(
  weeks: { readonly n: number; readonly rest: number },
  time: number,
): string {
  const week = weekOf(Math.floor(time / DAY));
  const on = week - ((week - weeks.rest) % weeks.n + weeks.n) % weeks.n;
  return new Date((on * 7 - 3) * DAY).toISOString().slice(0, 10);
}

/** The minute and hour fields of some minutes of the day. */
export function timeFields(minutes: readonly number[]): string[] {
  const sorted = [...new Set(minutes)].sort((a, b) => a - b);
  if (sorted.length <= 3) {
    return sorted.map((minute) => `${minute % 60} ${Math.floor(minute / 60)}`);
  }
  const minuteOf = (minute: number) => minute % 60;
  const hourOf = (minute: number) => Math.floor(minute / 60);
  const byMinute = [...Map.groupBy(sorted, minuteOf).values()];
  const byHours = Map.groupBy(byMinute, (some) => seriesOf(some.map(hourOf), 23));
  const fields = [...byHours].map(([hours, groups]) => {
    const ofHour = groups.map(([first]) => minuteOf(first)).sort((a, b) => a - b);
    return `${seriesOf(ofHour, 59)} ${hours}`;
  });
  if (fields.length <= 2) return fields;
  // Such as every 15 minutes from 08:00 through 18:00: whole hours, and 18:00 alone.
  const byHour = [...Map.groupBy(sorted, hourOf).values()];
  const byMinutes = Map.groupBy(byHour, (some) => seriesOf(some.map(minuteOf), 59));
  return [...byMinutes].map(([ofHour, groups]) =>
    `${ofHour} ${seriesOf(groups.map(([first]) => hourOf(first)), 23)}`
  );
}

/** Numbers as a field of cron, with a step if they have one; `last` is the field's maximum. */
function seriesOf(numbers: readonly number[], last: number): string {
  const step = numbers.length > 1 ? numbers[1] - numbers[0] : 0;
  const isSeries = numbers.length > 2 &&
    numbers.every((number, at) => number === numbers[0] + at * step);
  if (!isSeries) return rangesOf(numbers);
  const end = numbers.at(-1)!;
  const isOpen = end + step > last;
  if (numbers[0] === 0 && isOpen) return step === 1 ? "*" : `*/${step}`;
  const range = `${numbers[0]}-${isOpen && step > 1 ? last : end}`;
  return step === 1 ? range : `${range}/${step}`;
}
