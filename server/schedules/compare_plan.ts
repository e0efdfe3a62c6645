/** Compares a plan with the runs of its schedule. It is pure, and a worker does it. */
import { latestSlots } from "../../lib/judgement/latest_slots.ts";
import { type PlannedDay, plannedDays } from "../../lib/judgement/planned_days.ts";
import type { JudgedSlot, Pause } from "../../lib/judgement/slots.ts";
import { cutGrace, type Plan, planSlots } from "../../lib/judgement/plans/plan.ts";
import type { StatusDictionary } from "../../lib/runs/status.ts";
import type { ReportRun } from "../../lib/types.ts";
import { misfit, type PlanFit, planFit } from "./plan_fit.ts";

/** What a comparison depends on. */
export interface PlanToCompare {
  readonly plan: Plan;
  readonly pauses: readonly Pause[];
  /** The newest runs, newest first; their recipients are not needed. */
  readonly runs: readonly ReportRun[];
  readonly now: number;
  readonly statuses: StatusDictionary;
  /** How many of the latest planned runs are compared. */
  readonly count: number;
  /** How far ahead the plan is laid out, in milliseconds. */
  readonly comingMs: number;
  /** Whether to say in words that the plan does not fit. */
  readonly saysMisfit: boolean;
}

/** What the page of a plan shows of it. */
export interface ComparedPlan {
  readonly fit: PlanFit | null;
  readonly misfit: string | null;
  /** Newest first. */
  readonly latest: readonly JudgedSlot<ReportRun>[];
  /** The coming planned runs, by day since 1970. */
  readonly coming: ReadonlyMap<number, PlannedDay>;
  /** See `cutGrace`. */
  readonly cutMs: number | null;
}

export function comparePlan(
  { plan, pauses, runs, now, statuses, count, comingMs, saysMisfit }: PlanToCompare,
): ComparedPlan {
  const coming = planSlots(plan, now, now + comingMs);
  return {
    fit: planFit(plan, runs),
    misfit: saysMisfit ? misfit(plan, runs, now) : null,
    latest: latestSlots(runs, plan, { now, statuses, count }),
    coming: plannedDays(coming, pauses, plan.zone),
    cutMs: cutGrace(plan, coming),
  };
}
