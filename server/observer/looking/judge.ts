/** The part of the judgement that the observer works with; tests may have a simpler one. */
import type {
  JudgedPlan,
  JudgeOptions,
  RunHistory,
  Verdict,
} from "../../../lib/runs/judge/judge_schedule.ts";
import type { Plan } from "../../../lib/runs/plans/plan.ts";

/** The part of a verdict that the observer works with. */
export interface ObservedVerdict
  extends Pick<Verdict, "state" | "reasons" | "health" | "durations"> {
  readonly schedule:
    | Pick<JudgedPlan, "plan" | "source" | "missed" | "overdue" | "next" | "counts">
    | null;
}

/** Judges a schedule by its runs: `judgeSchedule`. */
export type Judge = (history: RunHistory, options: JudgeOptions) => ObservedVerdict;

/** The moments of a plan within a span: `planSlots`. */
export type PlanSlots = (plan: Plan, from: number, to: number) => readonly number[];
