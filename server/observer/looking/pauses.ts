/** Runs that are not expected: somebody said that a plan is paused, or that a gap was planned. */
import type { Pause } from "../../store/observer/types.ts";
import type { Slot } from "../../../lib/runs/judge/slots.ts";
import type { ObservedVerdict } from "./judge.ts";

/** The verdict without the slots that fall into pauses. */
export function withoutPauses(
  verdict: ObservedVerdict,
  pauses: readonly Pause[],
): ObservedVerdict {
  const { schedule } = verdict;
  if (!schedule || pauses.length === 0) return verdict;
  const isExpected = ({ at }: Slot) =>
    !pauses.some(({ from, to }) => at >= from && (to === null || at < to));
  const missed = schedule.missed.filter(isExpected);
  const overdue = schedule.overdue.filter(isExpected);
  if (missed.length === schedule.missed.length && overdue.length === schedule.overdue.length) {
    return verdict;
  }
  const left: Readonly<Record<string, number>> = {
    missed: missed.length,
    overdue: overdue.length,
  };
  const reasons = verdict.reasons.filter(({ code }) => left[code] !== 0);
  const isBad = reasons.some(({ severity }) => severity === "critical");
  return {
    ...verdict,
    reasons,
    state: verdict.state === "down" && !isBad ? "up" : verdict.state,
    schedule: {
      ...schedule,
      missed,
      overdue,
      counts: { missed: missed.length, overdue: overdue.length },
    },
  };
}
