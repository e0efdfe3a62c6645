/** Slots that count as overdue: not before a run could be seen. */
import { saysDown } from "../../../lib/runs/judge/reason.ts";
import { inTimeUntil } from "../../../lib/runs/plans/plan.ts";
import type { ObservedVerdict } from "./judge.ts";

/**
 * The verdict without overdue slots whose run may have started and not be listed yet.
 *
 * @param lagMs How long after its start a run may come into the history.
 */
export function onlyExpected(
  verdict: ObservedVerdict,
  { now, lagMs }: { readonly now: number; readonly lagMs: number },
): ObservedVerdict {
  const { schedule } = verdict;
  if (!schedule) return verdict;
  // The newest is first, and none is overdue before those that were due before it.
  const first = schedule.overdue.findIndex(({ at }) =>
    inTimeUntil(schedule.plan, at) + lagMs < now
  );
  const awaited = first < 0 ? schedule.overdue.length : first;
  if (awaited === 0) return verdict;
  const overdue = schedule.overdue.slice(awaited);
  const count = schedule.counts.overdue - awaited;
  const reasons = verdict.reasons.filter(({ code }) => code !== "overdue" || count > 0);
  return {
    ...verdict,
    reasons,
    state: verdict.state === "down" && !saysDown(reasons) ? "late" : verdict.state,
    schedule: { ...schedule, overdue, counts: { ...schedule.counts, overdue: count } },
  };
}
