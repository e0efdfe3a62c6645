/** Judges what became of each time at which a schedule was due. */
import type { ReportRun } from "../types.ts";
import {
  type Occurrences,
  occurrencesOf,
  type TimedRun,
  timedRuns,
  timesOf,
} from "../runs/occurrences.ts";
import type { StatusDictionary } from "../runs/status.ts";
import { type HeldPlan, holdFirst } from "./held_plans.ts";
import { endOfGrace, matchSlots } from "./plans/match.ts";
import { type Plan, readPlan } from "./plans/plan.ts";
import { firstSlot, type ReadPlan, slotTimes, slotTimesUpTo } from "./plans/slot_times.ts";
import { weekdayAt } from "./plans/due_days.ts";
import { lowerBound } from "../runs/quantiles.ts";
import { addDays, startOfDay } from "../days.ts";
import { DAY, HOUR } from "../time_units.ts";

/** A time at which a schedule was due. */
export interface Slot {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Its id, which stays the same while the history grows. */
  readonly id: string;
}

/** A span of time in which no run is expected, in milliseconds since 1970. */
export interface Pause {
  /** Its first moment. */
  readonly from: number;
  /** The first moment after it; null if it has no end yet. */
  readonly to: number | null;
}

/** The result of the last call, because a replay needs the same days at each moment. */
let latest: { readonly days: readonly string[]; readonly zone: string; spans: Pause[] } | undefined;

/** Days such as `2026-12-25` in a zone, on which no run is expected. */
function spansOfDays(days: readonly string[], zone: string): readonly Pause[] {
  if (latest?.days !== days || latest.zone !== zone) {
    const spans = days.map((day) => ({
      from: startOfDay(day, zone)!,
      to: startOfDay(addDays(day, 1), zone)!,
    }));
    latest = { days, zone, spans };
  }
  return latest.spans;
}

/** When no run of a plan is expected: its pauses, and the days of its calendar in its zone. */
export function excusedSpans(
  { zone }: Pick<Plan, "zone">,
  pauses: readonly Pause[],
  calendar: readonly string[],
): readonly Pause[] {
  return [...pauses, ...spansOfDays(calendar, zone)];
}

/** A schedule is young for this long: then enough weekends have passed to show whether it runs. */
export const YOUNG_MS: number = 21 * DAY;
/** Where planned runs are this far apart, each weekday is new by itself. */
const DAILY_MS = 20 * HOUR;
/** Of all zones, from UTC. */
const OFFSETS = Array.from({ length: 27 }, (_, at) => (at - 12) * HOUR);
/** Planned runs of an inferred plan this far apart can be missed only after so many met ones. */
const SELDOM_MS = 6 * DAY;
const MET_BEFORE_MISSED = 6;

export function isInPause(at: number, pauses: readonly Pause[]): boolean {
  return pauses.some(({ from, to }) => at >= from && (to === null || at < to));
}

export type SlotOutcome = "met" | "late" | "missed" | "by-hand" | "overdue" | "due";

export interface JudgedSlot<Run> {
  readonly at: number;
  readonly outcome: SlotOutcome;
  /** The run that met it, with twins and retries, or the one that a person started instead. */
  readonly runs: readonly TimedRun<Run>[];
  /** Until when a run that would meet it is on time, if none has. */
  readonly graceEnd?: number;
  /** When its plan is due next, which a later plan may not count. */
  readonly next?: number | null;
}

/** What became of every slot, oldest first, and when the next one is. */
export interface JudgedSlots<Run> {
  readonly slots: readonly JudgedSlot<Run>[];
  /** The first slot after now, or null if there is no plan or no such slot. */
  readonly after: number | null;
  /** The first one that nothing excuses. */
  readonly next: number | null;
  /** Since when a miss would have shown, or null if it never would. */
  readonly since: number | null;
}

export function slotAt(at: number): Slot {
  return { at, id: new Date(at).toISOString().slice(0, 16) + "Z" };
}

/** Judges the slots of plans; the last plan is the current one. An excused slot counts as met. */
export function judgeSlots<Run extends ReportRun>(
  { started, planned, byHand }: Occurrences<Run>,
  plans: readonly HeldPlan[],
  { now, pauses = [], calendar = [], listingDelayMs = 0 }: {
    readonly now: number;
    readonly pauses?: readonly Pause[];
    readonly calendar?: readonly string[];
    readonly listingDelayMs?: number;
  },
): JudgedSlots<Run> {
  // Each run can meet a slot, even one that seemed to be a twin or a retry.
  const times = timesOf(started);
  const occurrenceOf = occurrencesInTurn(planned);
  let judged: JudgedSlot<Run>[] = [];
  let [since, after]: (number | null)[] = [null, null];
  let excused: readonly Pause[] = [];
  for (const [index, held] of plans.entries()) {
    const { plan } = held;
    if (plan === null) continue;
    excused = excusedSpans(plan, pauses, calendar);
    const context = { times, now, excused, listingDelayMs };
    const read = readPlan(plan);
    const successor = plans[index + 1];
    const [from, to] = [held.from, successor?.from ?? Infinity]
      .map((time) => lowerBound(times, time));
    const until = successor ? held.until ?? times[to - 1] : now;
    const starts = times.subarray(from, to);
    const matched = matchPlan(held, read, starts, Math.min(until, now), times[0]);
    const { slots, runOf, first } = matched;
    after = matched.after;
    if (first < 0) continue;
    since ??= slots[first] ?? null;
    const ofPlan = slots.flatMap((at, slot): JudgedSlot<Run> | [] => {
      if (slot < first) return [];
      const run = runOf.get(slot);
      const next = slots[slot + 1] ?? after;
      const graceEnd = endOfGrace(plan.graceMs, at, next);
      if (run === undefined) {
        if (runOf.has(slot - 1) && isRepeated(read, slots, slot)) return [];
        const outcome = unmetOutcome(at, graceEnd, held, context);
        return { at, graceEnd, outcome, runs: [], next };
      }
      const outcome = times[from + run] > graceEnd ? "late" : "met";
      return { at, outcome, runs: occurrenceOf(started[from + run]), next };
    });
    const { firstStart } = held;
    judged = judged.concat(
      firstStart === undefined ? ofPlan : withoutUnsure(ofPlan, read, now < firstStart + YOUNG_MS),
    );
  }
  const current = plans.at(-1)?.plan;
  return {
    slots: withRunsByHand(judged, byHand),
    after: current ? after : null,
    next: current ? expectedSlots(current, now + 1, excused, 1)[0] ?? null : null,
    since,
  };
}

/**
 * Where nobody knows yet whether an inferred plan is due, unmet slots count as met: those that are days
 * apart until some were met, and of a young schedule or plan those at hours at which it has not run.
 * Where they are a day apart, or it may be a weekend, it also has to have run on this weekday: in all
 * zones, since nobody knows whose weekends count.
 */
function withoutUnsure<Run>(
  slots: readonly JudgedSlot<Run>[],
  { clock }: ReadPlan,
  isYoung: boolean,
): readonly JudgedSlot<Run>[] {
  const isMet = ({ runs }: JudgedSlot<Run>) => runs.length > 0;
  const toHour = ({ at }: JudgedSlot<Run>) => Math.floor(clock.toLocal([at])[0] / HOUR) % 24;
  const toWeekdays = ({ at }: JudgedSlot<Run>) =>
    OFFSETS.map((offset) => `${weekdayAt(at + offset)} ${offset}`);
  const met = slots.filter(isMet);
  const hours = new Set(isYoung ? met.map(toHour) : []);
  const weekdays = new Set(isYoung ? met.flatMap(toWeekdays) : []);
  const isKnown = (slot: JudgedSlot<Run>) => {
    const gap = (slot.next ?? slot.at) - slot.at;
    if (gap >= SELDOM_MS) return met.length >= MET_BEFORE_MISSED;
    if (!isYoung) return true;
    const isByWeekday = gap >= DAILY_MS ||
      OFFSETS.some((offset) => weekdayAt(slot.at + offset) % 6 === 0);
    return hours.has(toHour(slot)) &&
      (!isByWeekday || toWeekdays(slot).every((weekday) => weekdays.has(weekday)));
  };
  return slots.map((slot) =>
    isMet(slot) || slot.outcome === "due" || isKnown(slot) ? slot : { ...slot, outcome: "met" }
  );
}

interface JudgingContext {
  readonly times: Float64Array;
  readonly now: number;
  readonly excused: readonly Pause[];
  readonly listingDelayMs: number;
}

/** Matches starts to the slots of their plan up to a moment; slots from `first` on count. */
function matchPlan(
  { since }: HeldPlan,
  read: ReadPlan,
  starts: Float64Array,
  until: number,
  oldest = -Infinity,
) {
  const begin = Math.min(starts[0] ?? Infinity, Math.max(since ?? Infinity, oldest));
  const [earliest = begin] = slotTimesUpTo(read, begin, 2);
  const slots = slotTimes(read, earliest, until + 1);
  // The next slot shows how late a run may be for the last one.
  const after = firstSlot(read, until + 1);
  const slotOf = matchSlots(after === null ? slots : [...slots, after], starts);
  const runOf = new Map<number, number>();
  slotOf.forEach((slot, run) => slot >= 0 && runOf.set(slot, run));
  // Nobody knows what was due before the first run that met a slot, or before the plan held.
  const first = since === undefined
    ? slotOf.find((slot) => slot >= 0) ?? slots.length
    : slots.findIndex((at, slot) => at >= since && (at >= oldest || runOf.has(slot)));
  return { slots, runOf, first, after };
}

function unmetOutcome(
  at: number,
  graceEnd: number,
  { until }: HeldPlan,
  { times, now, excused, listingDelayMs }: JudgingContext,
): SlotOutcome {
  if (isInPause(at, excused)) return "met";
  // Whoever changes the plan waits no longer for what was due by the one before.
  const isGivenUp = until !== undefined && lowerBound(times, at) === lowerBound(times, until + 1);
  if (isGivenUp) return "met";
  if (graceEnd + listingDelayMs >= now) return "due";
  return lowerBound(times, at) < times.length ? "missed" : "overdue";
}

/** Whether clocks that went back show a slot's time again, when some schedulers don't start again. */
function isRepeated({ clock }: ReadPlan, slots: readonly number[], slot: number): boolean {
  if (slot < 2 || slots[slot] - slots[slot - 1] >= slots[slot - 1] - slots[slot - 2]) return false;
  const [before, local] = clock.toLocal(Float64Array.of(slots[slot - 1], slots[slot]));
  return local === before;
}

/** Returns each run, asked for in order, with its twins and retries; alone if it is one itself. */
function occurrencesInTurn<Run>(planned: Occurrences<Run>["planned"]) {
  let next = 0;
  return (run: TimedRun<Run>): readonly TimedRun<Run>[] => {
    while (next < planned.length && planned[next][0].time < run.time) next++;
    return planned[next]?.[0] === run ? planned[next] : [run];
  };
}

/** The next slots that no span excuses: at most `count`. */
export function expectedSlots(
  plan: Plan,
  from: number,
  excused: readonly Pause[],
  count: number,
): readonly number[] {
  const read = readPlan(plan);
  const slots: number[] = [];
  let at = firstSlot(read, from);
  while (at !== null && slots.length < count) {
    const span = excused.find((each) => isInPause(at!, [each]));
    if (span?.to === null) break;
    if (!span) slots.push(at);
    at = firstSlot(read, span?.to ?? at + 1);
  }
  return slots;
}

/** Marks unmet slots for which a person started a run before the next slot. */
function withRunsByHand<Run extends ReportRun>(
  judged: readonly JudgedSlot<Run>[],
  byHand: Occurrences<Run>["byHand"],
): JudgedSlot<Run>[] {
  let at = 0;
  return judged.map((slot, index) => {
    if (slot.outcome !== "missed" && slot.outcome !== "overdue") return slot;
    const end = judged[index + 1]?.at ?? Infinity;
    while (at < byHand.length && byHand[at].time < slot.at) at++;
    const hand = byHand[at];
    if (!hand || hand.time >= end) return slot;
    return { at: slot.at, outcome: "by-hand", runs: [hand], next: slot.next };
  });
}

/** The latest slots up to now, newest first, including those before the plan's `since`. */
export function latestSlots<Run extends ReportRun>(
  runs: readonly Run[],
  plan: Plan,
  { now, statuses, count }: {
    readonly now: number;
    readonly statuses: StatusDictionary;
    readonly count: number;
  },
): JudgedSlot<Run>[] {
  const occurrences = occurrencesOf(timedRuns(runs, now, statuses).timed);
  const times = timesOf(occurrences.planned.map(([first]) => first));
  const [since] = slotTimesUpTo(readPlan(plan), now, count).slice(-count);
  if (times.length === 0 || since === undefined) return [];
  const held = holdFirst({ ...plan, since }, times, now);
  return judgeSlots(occurrences, [held], { now }).slots.filter(({ at }) => at >= since).reverse();
}
