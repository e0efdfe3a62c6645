/** The part of the judgement that the observer works with. It is pure, and done by a worker. */
import { judgeSchedule, type Verdict } from "../../../lib/runs/judge/judge_schedule.ts";
import type {
  JudgedPlan,
  JudgeOptions,
  RunHistory,
} from "../../../lib/runs/judge/judge_schedule.ts";
import { type FailurePattern, failurePattern } from "../../../lib/runs/judge/retries.ts";
import type { Pause } from "../../../lib/runs/judge/slots.ts";
import type { Plan } from "../../../lib/runs/plans/plan.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";

/** A verdict, as far as slots that do not count change it. */
export interface ObservedVerdict extends Pick<Verdict, "state" | "reasons"> {
  readonly schedule:
    | Pick<JudgedPlan, "plan" | "source" | "missed" | "overdue" | "next" | "counts">
    | null;
}

/** Judges a schedule by its runs: `judgeSchedule`, or a simpler one of tests. */
export type Judge = (
  history: RunHistory,
  options: JudgeOptions,
) => ObservedVerdict & Pick<Verdict, "health" | "durations">;

/** Copied runs to judge. */
export interface JudgeQuestion {
  readonly scheduleId: number;
  /** The runs as one JSON array: the loop that answers requests reads none of them. */
  readonly runs: string;
  readonly olderUnread: boolean;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
  readonly statuses: StatusDictionary;
  readonly plan: Plan | null;
  readonly pauses: readonly Pause[];
}

/** What the observer keeps of a verdict. */
export interface JudgedRuns {
  readonly verdict: ObservedVerdict;
  readonly failures: FailurePattern;
  /** When the last good run started, in milliseconds since 1970. */
  readonly lastSuccess: number | null;
  /** How many runs failed in a row, up to the latest. */
  readonly failing: number;
  /** How long nearly all runs take at most, in milliseconds. */
  readonly usualDuration: number | null;
}

/** So many characters of runs are kept at most, with the verdicts on them: a run may be long. */
const MOST_KEPT = 20_000_000;

/** What a schedule was judged by the last time, and how. */
interface Kept {
  readonly json: string;
  readonly runs: readonly ReportRun[];
  readonly verdict: ReturnType<Judge>;
}

/**
 * Judges copied runs. Where only time has passed since it last judged a schedule, it neither reads the
 * runs nor infers a plan again.
 */
export function createJudge(
  judge: Judge = judgeSchedule,
): (question: JudgeQuestion) => JudgedRuns {
  const kept = new Map<number, Kept>();
  let length = 0;

  function forget(scheduleId: number): void {
    length -= kept.get(scheduleId)?.json.length ?? 0;
    kept.delete(scheduleId);
  }

  return ({ scheduleId, runs: json, olderUnread, now, statuses, plan, pauses }) => {
    const before = kept.get(scheduleId);
    const earlier = before?.json === json ? before : undefined;
    const runs = earlier?.runs ?? JSON.parse(json) as readonly ReportRun[];
    const options = { now, statuses, pauses, ...(plan && { plan }) };
    const verdict = judge(
      { runs, olderUnread },
      // Of the same function, whichever that is.
      { ...options, ...(earlier && { earlier: earlier.verdict as Verdict }) },
    );
    forget(scheduleId);
    kept.set(scheduleId, { json, runs, verdict });
    length += json.length;
    while (length > MOST_KEPT) forget(kept.keys().next().value!);
    return observed(verdict, failurePattern(runs, options));
  };
}

function observed(
  { state, reasons, schedule, health, durations }: ReturnType<Judge>,
  failures: FailurePattern,
): JudgedRuns {
  return {
    verdict: {
      state,
      reasons,
      schedule: schedule && {
        plan: schedule.plan,
        source: schedule.source,
        missed: schedule.missed,
        overdue: schedule.overdue,
        next: schedule.next,
        counts: schedule.counts,
      },
    },
    failures,
    lastSuccess: timeOf(health.lastGood?.startTime) ?? null,
    failing: health.streak?.meaning === "bad" ? health.streak.count : 0,
    usualDuration: durations.p95,
  };
}

/** The moments of a plan within a span: `planSlots`. */
export type PlanSlots = (plan: Plan, from: number, to: number) => readonly number[];
