/**
 * Replays a history with the looks that watching would have taken, whenever something happened.
 */
import type { ReportRun } from "../types.ts";
import { runsByTime, type TimedRun } from "../runs/occurrences.ts";
import { inferPlan } from "./plans/infer.ts";
import { endOfGrace, matchSlots } from "./plans/match.ts";
import { type Plan, planSlots, readPlan } from "./plans/plan.ts";
import { firstSlot } from "./plans/slots.ts";
import { clocksWait } from "./plans/zones/clocks_wait.ts";
import { defaultStatusDictionary } from "../runs/status.ts";
import { MOST_OPEN } from "./facts.ts";
import type { LookOptions } from "./judge_schedule.ts";
import { createNews, type Moment } from "./news.ts";
import type { ReasonCode } from "./reason.ts";
import { RETRIED_RUNS } from "./retries.ts";
import { isInPause, type Pause } from "./slots.ts";
import {
  type IncidentEvent,
  MOST_RUNS,
  type ReplayedIncident,
  watchInTime,
  type WatchOptions,
} from "./watch.ts";

const MINUTE = 60_000;

/** The result of a replay. */
export interface Replay {
  /** What watching would have reported, in order. */
  readonly events: readonly IncidentEvent[];
  /** The incidents that watching would have opened. */
  readonly incidents: readonly ReplayedIncident[];
  /** The plan that they are based on. */
  readonly plan: Plan | null;
}

/**
 * Replays a history: the incidents that watching it would have opened and resolved, and when.
 *
 * @param runs The runs, in any order. Those with an impossible start are left out.
 * @param options What statuses mean, the plan, and until when to replay, in milliseconds since 1970.
 * @returns The events, the incidents and the plan.
 *
 * @example
 * ```ts
 * import { replay } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const day = 86_400_000;
 * const runs = Array.from({ length: 30 }, (_, at) => ({
 *   id: at,
 *   status: "success",
 *   startTime: new Date(Date.UTC(2026, 0, 1, 6) + at * day).toISOString(),
 *   endTime: new Date(Date.UTC(2026, 0, 1, 6, 1) + at * day).toISOString(),
 * })).filter(({ id }) => id !== 20);
 * const { events } = replay(runs, { until: Date.UTC(2026, 0, 30, 12) });
 * assertEquals(events[0].kind, "opened");
 * assertEquals(events[0].code, "overdue");
 * assertEquals(new Date(events[0].at).toISOString().slice(0, 16), "2026-01-21T06:05");
 * ```
 */
export function replay(
  runs: readonly ReportRun[],
  options: WatchOptions & { readonly until: number },
): Replay {
  const { until, zone, pauses = [], statuses = defaultStatusDictionary() } = options;
  const plan = options.plan === undefined
    ? inferPlan(runs, { now: until, statuses, ...(zone ? { zone } : {}) })
    : options.plan;
  const timed = runsUntil(runs, until);
  const inferred = options.plan ? null : plan;
  const waitFor = (latest: number, slot: number) =>
    inferred ? clocksWait(inferred, latest, slot) : 0;
  const watch = watchInTime({
    ...options,
    plan: plan && { ...plan, since: 0 },
    ...(inferred ? { waitFor } : {}),
  });
  const news = createNews(timed, statuses);
  const events: IncidentEvent[] = [];
  const open = new Set<ReasonCode>();
  function look(count: number, at: number, isOfSlots = false): void {
    const shown = MOST_RUNS + (isOfSlots ? MOST_OPEN : RETRIED_RUNS);
    const known = {
      timed: knownAt(timed.slice(Math.max(0, count - shown), count), at),
      impossible: [],
      repeated: [],
    };
    const sure = isOfSlots ? "slots" : news.isLevel(count) ? "level" : "any";
    for (const event of watch.look(known, at, sure)) {
      events.push(event);
      if (event.kind === "resolved") open.delete(event.code);
      else open.add(event.code);
    }
  }
  let known = 0;
  for (const moment of momentsOf(timed, { plan, pauses, until, waitFor })) {
    const { at, count } = moment;
    for (let due = watch.due(); due !== null && due < at; due = watch.due()) look(known, due);
    known = count;
    const brought = news.broughtBy(moment, open);
    if (brought !== "none") {
      const isAwaited = watch.due() !== null;
      const retryUntil = isAwaited ? null : news.awaitsRetry(moment, open);
      if (retryUntil === null) look(count, at, brought === "slots" && !isAwaited);
      else watch.skipLookAfterFailure(at, retryUntil);
    } // A run that ends without news is good.
    else if (moment.kind === "end") watch.skipLookAfterSuccess(at);
    else watch.skipLook(at);
  }
  return { events, incidents: watch.incidents(), plan };
}

/** The runs that had started by a time, oldest first, each id once. */
function runsUntil(runs: readonly ReportRun[], until: number): readonly TimedRun<ReportRun>[] {
  const single = new Map(runs.toReversed().map((run) => [run.id, run]));
  // Each look finds by itself which of them are years from all others.
  return runsByTime([...single.values()], until).timed.filter(({ time }) => time <= until);
}

/** The newest runs as they were known at a time: those that had not ended yet are open. */
function knownAt(known: TimedRun<ReportRun>[], at: number): TimedRun<ReportRun>[] {
  for (let place = 0; place < known.length; place++) {
    const { run, time, ms = 0 } = known[place];
    if (time + ms > at) {
      known[place] = { run: { ...run, endTime: null, status: null }, time, ms: undefined };
    }
  }
  return known;
}

/** When something may have changed: a run started or ended, or the grace of a slot ended. */
function momentsOf(
  timed: readonly TimedRun<ReportRun>[],
  { plan, ...options }: {
    readonly plan: Plan | null;
    readonly pauses: readonly Pause[];
    readonly until: number;
    readonly waitFor: NonNullable<LookOptions["waitFor"]>;
  },
): Moment[] {
  const { until } = options;
  const moments: Moment[] = [{ at: until, kind: "grace", isUnmet: true, count: 0 }];
  timed.forEach(({ time, ms = 0 }, place) => {
    if (ms > 0) moments.push({ at: time, kind: "start", place, count: 0 });
    if (time + ms <= until) {
      moments.push({ at: Math.max(time, time + ms), kind: "end", place, count: 0 });
    }
  });
  if (plan && timed.length > 0) moments.push(...endsOfGrace(timed, { plan, ...options }));
  moments.sort((a, b) => a.at - b.at);
  let count = 0;
  for (const moment of moments) {
    while (count < timed.length && timed[count].time <= moment.at) count++;
    moment.count = count;
  }
  return moments;
}

/** The ends of the grace of all slots, and whether nothing had run for each. */
function endsOfGrace(
  timed: readonly TimedRun<ReportRun>[],
  { plan, pauses, until, waitFor }: {
    readonly plan: Plan;
    readonly pauses: readonly Pause[];
    readonly until: number;
    readonly waitFor: NonNullable<LookOptions["waitFor"]>;
  },
): Moment[] {
  const isAutomatic = timed.some(({ run }) => run.automated === true);
  const starts = timed.filter(({ run }) => !isAutomatic || run.automated === true)
    .map(({ time }) => time);
  const slots = planSlots(plan, timed[0].time - MINUTE, until);
  const after = firstSlot(readPlan(plan), until);
  const startOf = new Map<number, number>();
  matchSlots(after === null ? slots : [...slots, after], starts)
    .forEach((slot, run) => startOf.set(slot, starts[run]));
  let started = 0;
  let before = 0;
  return slots.flatMap((slot, place) => {
    const graceEnd = endOfGrace(plan.graceMs, slot, slots[place + 1] ?? after);
    while (before < starts.length && starts[before] < slot) before++;
    const isLate = (startOf.get(place) ?? Infinity) > graceEnd;
    const end = graceEnd + (isLate ? waitFor(starts[before - 1] ?? slot, slot) : 0);
    if (end >= until) return [];
    while (started < timed.length && timed[started].time <= end) started++;
    // One more overdue slot changes nothing.
    const isFurther = place > 0 && !isInPause(slots[place - 1], pauses) &&
      (timed[started - 1]?.time ?? -Infinity) < slots[place - 1];
    const isUnmet = !isFurther && !isInPause(slot, pauses) &&
      (startOf.get(place) ?? Infinity) > end;
    return [{ at: end + 1, kind: "grace", isUnmet, count: 0 }];
  });
}
