/** How well a verdict agrees with the truth of a labelled history. */
import { planSlots } from "../../../../lib/judgement/plans/plan.ts";
import type { Verdict } from "../../../../lib/judgement/judge_schedule.ts";
import type { LabelledHistory } from "./histories.ts";

/** What of a verdict is right. */
export interface Score {
  /** Missed slots that are true, that were only said, and that were not found. */
  readonly found: number;
  readonly wrong: number;
  readonly lost: number;
  /** Whether all else is right, too. */
  readonly whole: boolean;
}

/** Compares a verdict with the truth. */
export function scoreOf({ truth, now, runs }: LabelledHistory, verdict: Verdict): Score {
  const { schedule } = verdict;
  // Where starts scatter, a slot can be known only so well.
  const tolerance = Math.max(
    60_000,
    Math.min(truth.graceMs, truth.graceMs * 5 / runs.length + 60_000),
  );
  const missed = compare(truth.missed, schedule?.missed.map(({ at }) => at) ?? [], tolerance);
  const overdue = compare(truth.overdue, schedule?.overdue.map(({ at }) => at) ?? [], tolerance);
  const isClose = (one: number, other: number) => Math.abs(one - other) <= tolerance;
  const [due] = truth.coming;
  const next = due === undefined || isClose(schedule?.next ?? NaN, due);
  const end = (truth.coming.at(-1) ?? now) + tolerance + 1;
  const coming = schedule && truth.coming.length > 0 ? planSlots(schedule.plan, now + 1, end) : [];
  const plan = truth.planned
    ? schedule !== null && (truth.coming.length === 0 ||
      coming.length === truth.coming.length &&
        coming.every((slot, at) => isClose(slot, truth.coming[at])))
    : schedule === null;
  const codes = verdict.reasons.map(({ code }): string => code);
  const reasons = truth.reasons.every((code) => codes.includes(code)) &&
    !truth.noReasons.some((code) => codes.includes(code));
  const isExact = ({ wrong, lost }: Compared) => wrong === 0 && lost === 0;
  return {
    ...missed,
    whole: isExact(missed) && isExact(overdue) && next && plan && reasons,
  };
}

type Compared = Omit<Score, "whole">;

function compare(truth: readonly number[], said: readonly number[], tolerance: number): Compared {
  const open = new Set(said);
  let found = 0;
  for (const moment of truth) {
    const match = [...open].find((other) => Math.abs(other - moment) <= tolerance);
    if (match === undefined) continue;
    open.delete(match);
    found++;
  }
  return { found, wrong: open.size, lost: truth.length - found };
}
