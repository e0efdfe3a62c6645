/** Judges loaded runs, once for as long as nothing that the verdict rests on changes. */
import { judgeSchedule, type Verdict } from "../../lib/runs/judge/judge_schedule.ts";
import { historyOf } from "../../lib/runs/loaded.ts";
import type { Pause } from "../../lib/runs/judge/slots.ts";
import { inTimeUntilEach, type Plan, planSlots } from "../../lib/runs/plans/plan.ts";
import type { StatusDictionary } from "../../lib/runs/status.ts";
import { workedOut } from "./kept_runs.ts";
import type { LoadedRuns } from "./run_loader.ts";

/** How long a verdict is kept at most: it also says how late a run is so far. */
const LONGEST_MS = 60_000;

/** By what loaded runs are judged. */
export interface JudgingOptions {
  /** The present, in milliseconds since 1970. */
  readonly now: number;
  readonly statuses: StatusDictionary;
  /** The reader's zone. */
  readonly zone: string;
  /** The plan that a person confirmed, if there is one. */
  readonly plan?: Plan | null;
  /** When a person said that no run is expected. */
  readonly pauses?: readonly Pause[];
}

/** The verdict on these runs. */
export function judgeLoaded(loaded: LoadedRuns, options: JudgingOptions): Verdict {
  const { now, statuses, zone, plan, pauses = [] } = options;
  const question = JSON.stringify([zone, statuses, plan, pauses]);
  const kept = workedOut(
    loaded,
    { kind: "verdict", question },
    (): { verdict: Verdict | null; from: number; until: number } => ({
      verdict: null,
      from: 0,
      until: 0,
    }),
  );
  if (kept.verdict === null || now < kept.from || now >= kept.until) {
    kept.verdict = judgeSchedule(historyOf(loaded), {
      statuses,
      zone,
      now,
      pauses,
      ...(plan && { plan }),
      // The plan is inferred again only where another run has started.
      ...(kept.verdict && { earlier: kept.verdict }),
    });
    kept.from = now;
    kept.until = holdsUntil(kept.verdict, now);
  }
  return kept.verdict;
}

/** When time alone may change a verdict: at a slot, as the grace of one ends, or after a minute. */
function holdsUntil({ schedule }: Verdict, now: number): number {
  const latest = now + LONGEST_MS;
  if (!schedule) return latest;
  const { plan } = schedule;
  const slots = planSlots(plan, now - plan.graceMs, latest);
  const ends = inTimeUntilEach(plan, slots).map((end) => end + 1);
  const isAhead = (edge: number) => edge > now;
  return Math.min(latest, slots.find(isAhead) ?? latest, ends.find(isAhead) ?? latest);
}
