/** Proposes plans: times of day with the days on which runs came at them, in a zone. */
import { MINUTE } from "../../time_units.ts";
import type { ZoneClock } from "../../zone_clock.ts";
import { type CronRule, readTimes } from "./cron.ts";
import { timeFields } from "./cron_text.ts";
import { bestDays } from "./day_kinds.ts";
import type { DayChoice } from "./due_days.ts";
import { MIN_OWN_DAYS, RANKED_RUNS } from "./numbers.ts";
import type { ReadPlan } from "./slot_times.ts";
import { type Times, timesOfDay } from "./times_of_day.ts";

const DAY_MINUTES = 1440;

export interface CandidateZone {
  readonly clock: ZoneClock;
  /** Bits to name the zone: none for the reader's own. */
  readonly bits: number;
}

export interface Candidate {
  readonly key: string;
  readonly cron: readonly string[];
  readonly plan: ReadPlan;
  /** Bits of the plan itself, including those of its zone. */
  readonly bits: number;
}

/** Plans that may explain sorted runs: the newest propose times of day, and all propose days. */
export function candidatesFor(times: Float64Array, zone: CandidateZone): Candidate[] {
  const local = zone.clock.toLocal(times);
  const found = new Map<string, Candidate>();
  for (const set of timesOfDay(local.subarray(-RANKED_RUNS))) {
    for (const candidate of onDays(set, groupDays(set, local), zone)) {
      // Fixed times and steps may give the same plan at different costs.
      const other = found.get(candidate.key);
      if (!other || candidate.bits < other.bits) found.set(candidate.key, candidate);
    }
  }
  return [...found.values()];
}

/** The days on which runs came at each of some times; a late run may be there on the next day. */
function groupDays(set: readonly Times[], local: Float64Array): number[][] {
  const days = set.map((): number[] => []);
  // Which times are due at or before each minute of the day; -1 before the first.
  const dueAt = new Int8Array(DAY_MINUTES).fill(-1);
  set.forEach(({ minutes }, index) => minutes.forEach((minute) => dueAt[minute] = index));
  for (let at = 1; at < DAY_MINUTES; at++) if (dueAt[at] < 0) dueAt[at] = dueAt[at - 1];
  for (const time of local) {
    // A run a minute early still belongs to its time.
    const minute = Math.floor(time / MINUTE) + 1;
    const day = Math.floor(minute / DAY_MINUTES);
    const due = dueAt[minute - day * DAY_MINUTES];
    // Before the first time of day, it is late for the last one of the day before.
    const [of, on] = due < 0 ? [dueAt[DAY_MINUTES - 1], day - 1] : [due, day];
    if (days[of].at(-1) !== on) days[of].push(on);
  }
  return days;
}

/** Plans in which all times have the same days, and those in which one has days of its own. */
function* onDays(
  set: readonly Times[],
  days: readonly (readonly number[])[],
  zone: CandidateZone,
): Generator<Candidate> {
  const sorted = (some: readonly (readonly number[])[]) =>
    [...new Set(some.flat())].sort((a, b) => a - b);
  const all = sorted(days);
  const [from, through] = [all[0], all.at(-1)!];
  const choose = (some: readonly number[], times: readonly Times[]) => {
    const count = times.reduce((sum, { minutes }) => sum + minutes.length, 0);
    return some.length === 0 ? [] : bestDays(some, from, through, count);
  };
  const written = writeTimes(set);
  for (const choice of choose(all, set)) yield toCandidate([[written, choice]], zone);
  if (set.length === 1) return;
  for (const [index, alone] of set.entries()) {
    if (days[index].length < MIN_OWN_DAYS) continue;
    const others = set.filter((_, at) => at !== index);
    const [own] = choose(days[index], [alone]);
    const [rest] = choose(sorted(days.filter((_, at) => at !== index)), others);
    const isOther = own && rest && own.fields.join() !== rest.fields.join();
    // A cycle of weeks is one for the whole plan.
    if (isOther && !own.weeks && !rest.weeks) {
      const parts = [[writeTimes(others), rest], [writeTimes([alone]), own]] as const;
      yield toCandidate(parts.toSorted(([a], [b]) => a.first - b.first), zone);
    }
  }
}

/** Times as fields of cron, with the minutes that each means. */
function writeTimes(set: readonly Times[]) {
  const minutes = set.flatMap((each) => each.minutes);
  const fields = timeFields(minutes).map((time) => {
    const [minuteField, hourField] = time.split(" ");
    return { time, ...readTimes(minuteField, hourField) };
  });
  const bits = set.reduce((sum, each) => sum + each.bits, 0);
  return { first: Math.min(...minutes), bits, fields };
}

function toCandidate(
  parts: readonly (readonly [times: ReturnType<typeof writeTimes>, choice: DayChoice])[],
  zone: CandidateZone,
): Candidate {
  const cron: string[] = [];
  const rules: CronRule[] = [];
  let { bits } = zone;
  for (const [times, choice] of parts) {
    bits += choice.bits + times.bits;
    for (const { time, ...read } of times.fields) {
      choice.rules.forEach((days, at) => {
        cron.push(`${time} ${choice.fields[at]}`);
        rules.push({ ...read, days });
      });
    }
  }
  const { weeks } = parts[0][1];
  return {
    key: `${zone.clock.zone} ${cron.join(";")} ${weeks ? `${weeks.rest}/${weeks.n}` : ""}`,
    cron,
    plan: { rules, clock: zone.clock, weeks },
    bits,
  };
}
