/** Compares a plan with the runs of its schedule. For pages, a worker does it. */
import { DAY } from "../../lib/time_units.ts";
import { expectedSlots, latestSlots, type Pause } from "../../lib/judgement/slots.ts";
import { describePlan } from "../../lib/judgement/plans/describe.ts";
import { inferPlan } from "../../lib/judgement/plans/infer.ts";
import { endOfGrace, matchSlots } from "../../lib/judgement/plans/match.ts";
import { type Plan, planSlots, shortestGrace } from "../../lib/judgement/plans/plan.ts";
import type { StatusDictionary } from "../../lib/runs/status.ts";
import { timeOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";

/** A plan is compared with at most this many of the newest runs. */
const COMPARED_RUNS = 50;
const MIN_COMPARED = 5;
/** How far back runs are compared. */
const COMPARED_MS = 366 * DAY;

/** How many of the newest runs started as planned; null if there are too few runs. */
function planFit(plan: Plan, runs: readonly ReportRun[]) {
  const started = runs.slice(0, COMPARED_RUNS).filter(({ automated }) => automated !== false)
    .map(({ startTime }) => timeOf(startTime))
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b);
  const times = started.filter((time) => time > started[started.length - 1] - COMPARED_MS);
  if (times.length < MIN_COMPARED) return null;
  // A run that fits the plan is within a day of a slot.
  const slots = planSlots({ ...plan, since: 0 }, times[0] - DAY, times[times.length - 1] + DAY);
  const slotOf = matchSlots(slots, times);
  const fitting = times.filter((time, run) => {
    const slot = slots[slotOf[run]];
    return slot !== undefined &&
      time <= endOfGrace(plan.graceMs, slot, slots[slotOf[run] + 1] ?? null);
  });
  return { fitting: fitting.length, runs: times.length };
}

/** A warning if fewer than half of the runs started as planned; otherwise null. */
function misfitWarning(
  runs: readonly ReportRun[],
  { plan, now, zone }: Pick<PlanToCompare, "plan" | "now" | "zone">,
  fit: ReturnType<typeof planFit>,
): string | null {
  if (fit === null || fit.fitting >= fit.runs / 2) return null;
  const [own, inferred] = [plan, inferPlan(runs, { now })]
    .map((each) => each && describePlan(each, { zone, now }));
  const newest = `the newest ${fit.runs} runs`;
  const few = fit.fitting === 0 ? `None of ${newest}` : `Of ${newest}, only ${fit.fitting}`;
  return `Does the plan fit? ${few} started as planned` +
    (inferred ? `; the runs look like ${inferred}` : "") +
    (inferred === own ? ", but in other weeks or later" : "");
}

const LATEST_SLOTS = 20;
/** How many coming planned runs are shown. */
const MAX_COMING = 8;
/** How far ahead a planned run may end the grace of the one before. */
const COMING_MS = 31 * DAY;

export interface PlanToCompare {
  readonly plan: Plan;
  readonly pauses: readonly Pause[];
  /** The newest runs, newest first; they may lack recipients. */
  readonly runs: readonly ReportRun[];
  readonly now: number;
  /** The reader's zone. */
  readonly zone: string;
  readonly statuses: StatusDictionary;
}

export function comparePlan({ plan, pauses, runs, now, zone, statuses }: PlanToCompare) {
  const fit = planFit(plan, runs);
  return {
    fit,
    /** Whether somebody has to say that such a plan is right. */
    fitsNone: fit?.fitting === 0,
    misfit: misfitWarning(runs, { plan, now, zone }, fit),
    latest: latestSlots(runs, plan, { now, statuses, count: LATEST_SLOTS }),
    /** The coming planned runs, in milliseconds since 1970. */
    coming: expectedSlots(plan, now + 1, pauses, MAX_COMING),
    /** The grace where the next planned run ends it sooner; else null. */
    cutMs: shortestGrace(plan, planSlots(plan, now, now + COMING_MS)),
  };
}
