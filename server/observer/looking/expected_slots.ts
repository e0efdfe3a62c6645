/** Slots that count as overdue or missed: not those in pauses, and not before a run could be seen. */
import type { Slot } from "../../../lib/runs/judge/slots.ts";
import { inTimeUntil } from "../../../lib/runs/plans/plan.ts";
import type { Pause } from "../../store/observer/types.ts";
import type { ObservedVerdict } from "./judge.ts";

/** What keeps a slot from counting. */
export interface Expectation {
  readonly now: number;
  /** When somebody said that no run is expected. */
  readonly pauses: readonly Pause[];
  /** How long after its start a run may come into the history. */
  readonly lagMs: number;
}

/** The verdict without the slots that do not count. */
export function onlyExpected<Judged extends ObservedVerdict>(
  verdict: Judged,
  { now, pauses, lagMs }: Expectation,
): Judged {
  const { schedule } = verdict;
  if (!schedule) return verdict;
  const isPaused = ({ at }: Slot) => isInPause(at, pauses);
  const missed = schedule.missed.filter((slot) => !isPaused(slot));
  const due = schedule.overdue.filter((slot) => !isPaused(slot));
  const overdue = due.filter(({ at }) => inTimeUntil(schedule.plan, at) + lagMs < now);
  if (missed.length === schedule.missed.length && overdue.length === schedule.overdue.length) {
    return verdict;
  }
  const left: Readonly<Record<string, number>> = {
    missed: missed.length,
    overdue: overdue.length,
  };
  const reasons = verdict.reasons.filter(({ code }) => left[code] !== 0);
  const isBad = reasons.some(({ severity }) => severity === "critical");
  const well = due.length > 0 ? "late" : "up";
  return {
    ...verdict,
    reasons,
    state: verdict.state === "down" && !isBad ? well : verdict.state,
    schedule: {
      ...schedule,
      missed,
      overdue,
      counts: { missed: missed.length, overdue: overdue.length },
    },
  };
}

/** Whether no run is expected at a moment. */
export function isInPause(at: number, pauses: readonly Pause[]): boolean {
  return pauses.some(({ from, to }) => at >= from && (to === null || at < to));
}
