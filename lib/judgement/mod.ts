/**
 * Judging report schedules. Where to read what, in this order:
 *
 * 1. `verdict.ts`, `reason.ts`: the options, and what a verdict says.
 * 2. `judge_schedule.ts`: how a verdict comes about; `facts.ts` collects what all reasons need.
 * 3. `plans/`: finding the plan, from `infer.ts` on; docs/inference.md explains it. `cron.ts`,
 *    `due_days.ts` and `slot_times.ts` are the calendar below.
 * 4. `held_plans.ts`: which plan judges which runs. `slots.ts`: what became of each planned run.
 * 5. `reasons.ts`: all reasons, with `sent_twice.ts`; those from what runs contained in `content/`.
 * 6. `headline.ts`, `reason_text.ts`: what people read.
 * 7. `incidents/transition.ts`: the one table of incidents. `replay.ts` plays a history through it.
 *
 * @module
 */
export {
  type JudgedPlan,
  type JudgeOptions,
  judgeSchedule,
  type PlannedRun,
  type Verdict,
} from "./judge_schedule.ts";
export { type Headline, headline, HEADLINES } from "./headline.ts";
export { judge } from "./judge.ts";
export { describePlan } from "./plans/describe.ts";
export { inferPlan } from "./plans/infer.ts";
export { type Plan, planSlots } from "./plans/plan.ts";
export type { Reason } from "./reason.ts";
export { reasonText } from "./reason_text.ts";
export { type IncidentEvent, type Replay, replay, type ReplayedIncident } from "./replay.ts";
export type { Pause, Slot } from "./slots.ts";
