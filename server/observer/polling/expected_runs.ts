/** Removes overdue runs from a verdict that the service may not have listed yet. */
import { dueReason } from "../../../lib/judgement/plan_reasons.ts";
import { saysDown } from "../../../lib/judgement/reason.ts";
import { graceEndOf } from "../../../lib/judgement/plans/plan.ts";
import type { ObservedVerdict } from "../judging/judging_questions.ts";

/** The verdict without overdue slots whose runs may not be listed yet because of the service's lag. */
export function onlyExpected<Observed extends ObservedVerdict>(
  verdict: Observed,
  { now, lagMs }: { readonly now: number; readonly lagMs: number },
): Observed {
  const { schedule } = verdict;
  if (!schedule) return verdict;
  // Newest first: all slots older than an overdue one are overdue too.
  const first = schedule.overdue.findIndex(({ at }) => graceEndOf(schedule.plan, at) + lagMs < now);
  const awaited = first < 0 ? schedule.overdue.length : first;
  if (awaited === 0) return verdict;
  const overdue = schedule.overdue.slice(awaited);
  const count = schedule.counts.overdue - awaited;
  const earliestAwaited = schedule.overdue[awaited - 1].at;
  const reasons = count > 0 ? verdict.reasons : lateInstead(verdict, now);
  return {
    ...verdict,
    reasons,
    planned: verdict.planned.map((one) =>
      one.outcome === "overdue" && one.at >= earliestAwaited ? { ...one, outcome: "due" } : one
    ),
    state: verdict.state === "down" && !saysDown(reasons) ? "late" : verdict.state,
    schedule: { ...schedule, overdue, counts: { ...schedule.counts, overdue: count } },
  };
}

/** The reasons with `late` instead of `overdue`, so that one says why the schedule is late. */
function lateInstead(
  { reasons, schedule }: ObservedVerdict,
  now: number,
): ObservedVerdict["reasons"] {
  const late = dueReason(schedule!.overdue.at(-1)!.at, now);
  const others = reasons.filter(({ code }) => code !== "overdue" && code !== "late");
  const isInfo = ({ severity }: typeof late) => severity === "info";
  return [...others.filter((reason) => !isInfo(reason)), late, ...others.filter(isInfo)];
}
