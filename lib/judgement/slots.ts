/** What became of each time at which a schedule was due. */
import type { ReportRun } from "../types.ts";
import { type Occurrences, type TimedRun, timesOf } from "../runs/occurrences.ts";
import { endOfGrace, matchSlots } from "./plans/match.ts";
import { type Plan, readPlan } from "./plans/plan.ts";
import { firstSlot, type ReadPlan, slotTimes, slotTimesUpTo } from "./plans/slot_times.ts";
import { clocksWait, LONGEST_WAIT } from "./plans/zones/clocks_wait.ts";
import { goesOn, hourOf, isBetween, kindOf, type SeenKinds } from "./seen_kinds.ts";
import { lowerBound } from "../runs/numbers.ts";

const DAY = 86_400_000;

/** A time at which a schedule was due. */
export interface Slot {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The same for the same time, while the history grows. */
  readonly id: string;
}

/** A span of time in which no run is expected, in milliseconds since 1970. */
export interface Pause {
  /** Its first moment. */
  readonly from: number;
  /** The moment after the last one; null if it has no end yet. */
  readonly to: number | null;
}

/** Whether no run is expected at a time. */
export function isInPause(at: number, pauses: readonly Pause[]): boolean {
  return pauses.some(({ from, to }) => at >= from && (to === null || at < to));
}

export type SlotOutcome = "met" | "late" | "missed" | "by-hand" | "overdue" | "due";

export interface JudgedSlot<Run> {
  readonly at: number;
  readonly outcome: SlotOutcome;
  /** What the schedule started for it, with twins and retries, or what a person started instead. */
  readonly runs: readonly TimedRun<Run>[];
  /** Whether only later runs showed that it was due. */
  readonly isHindsight?: boolean;
}

/** A plan, and the range of started runs that it should explain. */
export interface FollowedPlan {
  readonly plan: Plan | null;
  readonly from: number;
  readonly to: number;
  /** Each slot from this time on counts; by default from the first slot that was met. */
  readonly countsFrom?: number;
  /**
   * What earlier runs have shown, if the plan was inferred: then slots on nights and weekends that
   * a young schedule has not passed can't be missed, and slots wait longer when clocks change.
   */
  readonly seen?: SeenKinds;
}

/** What became of every slot, oldest first, and when the next one is. */
export interface JudgedSlots<Run> {
  readonly slots: readonly JudgedSlot<Run>[];
  /** The first slot after now, or null if there is no plan or no further slot. */
  readonly next: number | null;
  /** Since when a miss would have shown, or null if it never would. */
  readonly since: number | null;
  readonly seen: SeenKinds;
}

/** After this time, a schedule has seen enough weekends to show whether it runs on them. */
const YOUNG = 21 * DAY;
export function slotAt(at: number): Slot {
  return { at, id: new Date(at).toISOString().slice(0, 16) + "Z" };
}

/**
 * Judges the slots of plans; the last plan is the current one. What did not run while it was
 * excused counts as met.
 */
export function judgeSlots<Run extends ReportRun>(
  { started, planned, byHand }: Occurrences<Run>,
  plans: readonly FollowedPlan[],
  now: number,
  excused: readonly Pause[] = [],
): JudgedSlots<Run> {
  const judged: JudgedSlot<Run>[] = [];
  // Each run can meet a slot, even one that seemed to be a twin or a retry.
  const times = timesOf(started);
  const placeOf = (place: number) =>
    place < planned.length ? lowerBound(times, planned[place][0].time) : times.length;
  const followed = plans.map((one) => ({ ...one, from: placeOf(one.from), to: placeOf(one.to) }));
  const occurrenceOf = occurrencesInTurn(planned);
  let since: number | null = null;
  const seen = plans.find((one) => one.seen)?.seen;
  const firstStart = Math.min(seen?.firstStart ?? Infinity, times[0] ?? Infinity);
  const metSince = new Map(seen?.kinds);
  const youngUntil = firstStart + YOUNG;
  /** Slots of a young schedule that no run met, with their kind. */
  const unsure = new Map<JudgedSlot<Run>, number>();
  for (const [at, { plan, from, to, countsFrom, seen }] of followed.entries()) {
    if (plan === null) continue;
    const part = times.subarray(from, to);
    const end = at === followed.length - 1 ? now + 1 : times[to - 1] + 1;
    const read = readPlan(plan);
    const begin = Math.min(part[0] ?? Infinity, countsFrom ?? Infinity);
    const [earliest = begin] = slotTimesUpTo(read, begin, 2);
    const slots = slotTimes(read, earliest, end);
    // The slot after the last one shows how late a run may be for the last one.
    const after = firstSlot(read, end);
    const nextOf = (slot: number) => slots[slot + 1] ?? after;
    const matched = matchSlots(after === null ? slots : [...slots, after], part);
    const runOf = new Map<number, number>();
    matched.forEach((slot, run) => slot >= 0 && runOf.set(slot, run));
    // What was due before the first run that met a slot, or before the plan held, is not known.
    const first = countsFrom === undefined
      ? matched.find((slot) => slot >= 0) ?? slots.length
      : slots.findIndex((moment, slot) =>
        moment >= plan.since && (moment >= countsFrom || runOf.has(slot))
      );
    if (first < 0) continue;
    if (at > 0) {
      const until = countsFrom === undefined ? times[from] : firstSlot(read, countsFrom);
      addShared(followed[at - 1].plan, plan, times[from - 1], until ?? now);
    }
    const locals = slots[first] < youngUntil ? read.clock.toLocal(slots) : null;
    since ??= slots[first] ?? null;
    for (let slot = first; slot < slots.length; slot++) {
      const run = runOf.get(slot);
      const moment = slots[slot];
      const graceEnd = endOfGrace(plan.graceMs, moment, nextOf(slot));
      if (run === undefined && runOf.has(slot - 1) && isRepeated(read, slots, slot)) continue;
      const one: JudgedSlot<Run> = run === undefined
        ? { at: moment, outcome: unmet(moment, graceEnd, seen && plan), runs: [] }
        : {
          at: moment,
          outcome: part[run] > graceEnd ? "late" : "met",
          runs: occurrenceOf(started[from + run]),
        };
      judged.push(one);
      if (locals === null || moment >= youngUntil) continue;
      const hour = hourOf(locals[slot]);
      const kind = kindOf(moment, locals[slot]);
      if (run !== undefined) {
        for (const each of [hour, kind]) if (!metSince.has(each)) metSince.set(each, moment);
      } else if (seen && one.outcome !== "due" && !isBetween(slots, runOf, slot)) {
        unsure.set(one, goesOn(slots, locals, runOf, slot) ? hour : kind);
      }
    }
  }

  /** Adds slots that the plans before and after a change share, if no run is between them. */
  function addShared(before: Plan | null, after: Plan, from: number, to: number): void {
    if (before === null) return;
    const ofBefore = Float64Array.from(slotTimes(readPlan(before), from + 1, to));
    const slots = slotTimes(readPlan(after), from + 1, to + 1);
    // The last one is that of the run after the change.
    for (const [place, moment] of slots.slice(0, -1).entries()) {
      const next = slots[place + 1];
      // Times that moved by less than the grace are the same slot.
      const near = Math.min(before.graceMs, after.graceMs, (next - moment) / 10);
      const other = ofBefore[lowerBound(ofBefore, moment - near)] ?? Infinity;
      if (other > moment + near) continue;
      const graceEnd = endOfGrace(after.graceMs, moment, next);
      judged.push({ at: moment, outcome: unmet(moment, graceEnd), runs: [] });
    }
  }

  function unmet(moment: number, graceEnd: number, inferred?: Plan): SlotOutcome {
    if (isInPause(moment, excused)) return "met";
    if (graceEnd >= now) return "due";
    if (inferred && graceEnd + LONGEST_WAIT >= now) {
      const latest = times[lowerBound(times, moment) - 1] ?? moment;
      if (graceEnd + clocksWait(inferred, latest, moment) >= now) return "due";
    }
    return moment < (times[times.length - 1] ?? -Infinity) ? "missed" : "overdue";
  }

  const last = followed.at(-1)?.plan ?? null;
  const known = unsure.size === 0 ? judged : judged.map((slot): JudgedSlot<Run> => {
    const kind = unsure.get(slot);
    const since = kind === undefined ? -Infinity : metSince.get(kind) ?? Infinity;
    if (since < slot.at) return slot;
    const isUnknown = since === Infinity && now < youngUntil;
    return isUnknown ? { ...slot, outcome: "met" } : { ...slot, isHindsight: true };
  });
  return {
    slots: withRunsByHand(known, byHand),
    next: last && nextExpected(last, Math.max(now + 1, lastMet(judged) + 1), excused),
    since,
    seen: {
      firstStart: firstStart === Infinity ? null : firstStart,
      kinds: now < firstStart + 2 * YOUNG ? [...metSince].sort(([a], [b]) => a - b) : [],
    },
  };
}

/** Whether clocks that went back show a slot's time twice: some schedulers start only once then. */
function isRepeated({ clock }: ReadPlan, slots: readonly number[], slot: number): boolean {
  if (slot < 2 || slots[slot] - slots[slot - 1] >= slots[slot - 1] - slots[slot - 2]) return false;
  const [before, local] = clock.toLocal(Float64Array.of(slots[slot - 1], slots[slot]));
  return local === before;
}

/** Finds what each run, in order, began: with its twins and retries, unless it is one itself. */
function occurrencesInTurn<Run>(planned: Occurrences<Run>["planned"]) {
  let next = 0;
  return (run: TimedRun<Run>): readonly TimedRun<Run>[] => {
    while (next < planned.length && planned[next][0].time < run.time) next++;
    return planned[next]?.[0] === run ? planned[next] : [run];
  };
}

/** When a run is expected next: after the spans that excuse it, unless one has no end. */
function nextExpected(plan: Plan, from: number, excused: readonly Pause[]): number | null {
  const read = readPlan(plan);
  for (let next = firstSlot(read, from); next !== null;) {
    const at = next;
    const end = excused.find((span) => at < (span.to ?? 0) && at >= span.from)?.to;
    if (!end) return next;
    next = firstSlot(read, end);
  }
  return null;
}

function lastMet<Run>(judged: readonly JudgedSlot<Run>[]): number {
  const last = judged.at(-1);
  return last && last.runs.length > 0 ? last.at : -Infinity;
}

/** Slots that the schedule did not run for, but a person did before the next slot. */
function withRunsByHand<Run extends ReportRun>(
  judged: readonly JudgedSlot<Run>[],
  byHand: Occurrences<Run>["byHand"],
): JudgedSlot<Run>[] {
  if (byHand.length === 0) return [...judged];
  let at = 0;
  return judged.map((slot, index) => {
    if (slot.outcome !== "missed" && slot.outcome !== "overdue") return slot;
    const end = judged[index + 1]?.at ?? Infinity;
    while (at < byHand.length && byHand[at].time < slot.at) at++;
    const hand = byHand[at];
    if (!hand || hand.time >= end) return slot;
    return { at: slot.at, outcome: "by-hand", runs: [hand] };
  });
}
