/** Replays a history: judges it at each moment when something happened, as watching would have. */
import { MINUTE } from "../time_units.ts";
import type { ReportRun } from "../types.ts";
import { occurrencesOf, type TimedRun, timedRunsWithStrays, timesOf } from "../runs/occurrences.ts";
import { inferPlan } from "./plans/infer.ts";
import { graceEndsOf, type Plan, planSlots } from "./plans/plan.ts";
import { defaultStatusDictionary, type StatusDictionary } from "../runs/status.ts";
import { lowerBound } from "../runs/numbers.ts";
import { RETRIED_RUNS } from "./retries.ts";
import type { JudgeOptions } from "./verdict.ts";
import {
  type IncidentEvent,
  type ReplayedIncident,
  WATCHED_RUNS,
  watchTimedRuns,
} from "./watch.ts";

/** How many of the newest runs the watch gets: those to judge, and those that show retries. */
const SHOWN_RUNS = WATCHED_RUNS + RETRIED_RUNS;

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
 * Replays a history: finds the incidents that watching it would have opened and resolved, and when.
 *
 * @param runs The runs, in any order. Those with an impossible start are left out.
 * @param options What statuses mean, the plan (null for none; by default it is inferred), and until
 * when to replay, in milliseconds since 1970.
 * @returns The events, the incidents and the plan.
 * @throws {TypeError | RangeError} If the plan or the zone is not valid.
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
  options: Partial<Omit<JudgeOptions, "now" | "plan">> & {
    readonly plan?: Plan | null;
    readonly until: number;
  },
): Replay {
  const { until, zone, statuses = defaultStatusDictionary() } = options;
  const plan = options.plan === undefined
    ? inferPlan(runs, { now: until, statuses, ...(zone ? { zone } : {}) })
    : options.plan;
  const timed = runsUntil(runs, until, statuses);
  const isInferred = !options.plan;
  const watch = watchTimedRuns({ ...options, plan: plan && { ...plan, since: 0 }, isInferred });
  const moments = momentsOf(timed, plan, until);
  const events: IncidentEvent[] = [];
  let count = 0;
  const longest = timed.reduce((most, { ms = 0 }) => Math.max(most, ms), 0);
  const judgeAt = (at: number) => {
    const shown = timed.slice(Math.max(0, count - SHOWN_RUNS), count);
    for (let index = shown.length - 1; index >= 0; index--) {
      // All earlier runs have ended.
      if (shown[index].time + longest <= at) break;
      shown[index] = asKnownAt(at, shown[index]);
    }
    events.push(...watch.look({ timed: shown, impossible: [], repeated: [] }, at));
  };
  for (const at of moments) {
    for (let due = watch.due(); due !== null && due < at; due = watch.due()) judgeAt(due);
    while (count < timed.length && timed[count].time <= at) count++;
    judgeAt(at);
  }
  return { events, incidents: watch.incidents(), plan };
}

function runsUntil(
  runs: readonly ReportRun[],
  until: number,
  statuses: StatusDictionary,
): readonly TimedRun<ReportRun>[] {
  const single = new Map(runs.toReversed().map((run) => [run.id, run]));
  // Runs that are years from all others are found at each moment, among those known by then.
  return timedRunsWithStrays([...single.values()], until, statuses).timed.filter(({ time }) =>
    time <= until
  );
}

/** A run as it was known at a moment: without its end and status if it had not ended. */
function asKnownAt(at: number, known: TimedRun<ReportRun>): TimedRun<ReportRun> {
  const { run, time, ms = 0 } = known;
  if (time + ms <= at) return known;
  return { run: { ...run, endTime: null, status: null }, time, ms: undefined, meaning: "unknown" };
}

/** When something may have changed: a run started or ended, or the grace of a slot ended. */
function momentsOf(
  timed: readonly TimedRun<ReportRun>[],
  plan: Plan | null,
  until: number,
): readonly number[] {
  const moments = timed.flatMap(({ time, ms = 0 }) => [time, time + ms]);
  const ends = plan && timed.length > 0 ? endsOfGrace(timed, plan, until) : [];
  const sorted = Float64Array.from([...moments, ...ends, until]).sort();
  return [...new Set(sorted)].filter((at) => at <= until);
}

/** When slots became overdue because no run started in time. */
function endsOfGrace(
  timed: readonly TimedRun<ReportRun>[],
  plan: Plan,
  until: number,
): number[] {
  const starts = timesOf(occurrencesOf(timed).started);
  const slots = planSlots(plan, timed[0].time - MINUTE, until);
  return graceEndsOf(plan, slots).flatMap((graceEnd, index) => {
    const slot = slots[index];
    const next = lowerBound(starts, slot);
    // A run that started in time met the slot.
    if (starts[next] <= graceEnd) return [];
    return graceEnd + 1;
  });
}
