/** What watching a schedule would have reported, found by replaying its runs. */
import { formatCount } from "../../lib/format.ts";
import { type Replay, replay } from "../../lib/judgement/replay.ts";
import type { Pause } from "../../lib/judgement/slots.ts";
import { type Plan, planSlots } from "../../lib/judgement/plans/plan.ts";
import { MOST_RUNS } from "../../lib/judgement/watch.ts";
import { defaultStatusDictionary, type StatusDictionary } from "../../lib/runs/status.ts";
import { timeOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";

export interface BacktestOptions {
  readonly now: number;
  /** Null: the plan is inferred. */
  readonly plan: Plan | null;
  readonly pauses: readonly Pause[];
  readonly calendar?: readonly string[];
  /** Null: Docket's own. */
  readonly statuses: StatusDictionary | null;
  /** Incidents that were resolved before this time are left out. */
  readonly since?: number;
}

export type Backtest = Pick<Replay, "incidents" | "plan">;

/** A replay judges at most this many slots, counting each one every time: that takes seconds. */
const MOST_JUDGED = 20_000_000;

/** The incidents that watching would have opened, newest first; a RangeError if that takes minutes. */
export function backtest(
  runs: readonly ReportRun[],
  { now, plan, pauses, calendar = [], statuses, since = -Infinity }: BacktestOptions,
): Backtest {
  if (plan) checkCount(runs, plan, now);
  const replayed = replay(runs, {
    until: now,
    statuses: statuses ?? defaultStatusDictionary(),
    pauses,
    calendar,
    ...(plan && { plan }),
  });
  const incidents = replayed.incidents
    .filter(({ resolved }) => (resolved ?? Infinity) >= since)
    .reverse();
  return { incidents, plan: replayed.plan };
}

/** At every slot, the slots of the newest runs are judged. */
function checkCount(runs: readonly ReportRun[], plan: Plan, now: number): void {
  const first = runs.reduce((first, run) => Math.min(first, timeOf(run.startTime) ?? now), now);
  const slots = planSlots(plan, first, now).length;
  const judged = slots * slots * Math.min(1, MOST_RUNS / Math.max(1, runs.length));
  if (judged <= MOST_JUDGED) return;
  throw new RangeError(
    `The plan is due too often for a backtest: ${
      formatCount(slots)
    } times since the first of the ` +
      `${formatCount(runs.length)} runs`,
  );
}
