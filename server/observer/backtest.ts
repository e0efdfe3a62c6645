/** What watching a schedule would have reported, found by replaying its runs. */
import { type Replay, replay } from "../../lib/judgement/replay.ts";
import type { Pause } from "../../lib/judgement/slots.ts";
import type { Plan } from "../../lib/judgement/plans/plan.ts";
import { defaultStatusDictionary, type StatusDictionary } from "../../lib/runs/status.ts";
import type { ReportRun } from "../../lib/types.ts";

/** What a backtest depends on. */
export interface BacktestOptions {
  readonly now: number;
  /** Null: the plan is inferred. */
  readonly plan: Plan | null;
  readonly pauses: readonly Pause[];
  /** Null: Docket's own. */
  readonly statuses: StatusDictionary | null;
  /** Incidents that were resolved before this time are left out. */
  readonly since?: number;
}

/** What a replay would have reported. */
export type Backtest = Pick<Replay, "incidents" | "plan">;

/** Replays runs: the incidents that watching would have opened, newest first. */
export function backtest(
  runs: readonly ReportRun[],
  { now, plan, pauses, statuses, since = -Infinity }: BacktestOptions,
): Backtest {
  const replayed = replay(runs, {
    until: now,
    statuses: statuses ?? defaultStatusDictionary(),
    pauses,
    ...(plan && { plan }),
  });
  const incidents = replayed.incidents
    .filter(({ resolved }) => (resolved ?? Infinity) >= since)
    .reverse();
  return { incidents, plan: replayed.plan };
}
