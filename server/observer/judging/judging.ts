/** Judges histories, which may take a second each, in workers or, if the host has none, in this thread. */
import type { JudgeOptions } from "../../../lib/judgement/judge_schedule.ts";
import type { RunHistory } from "../../../lib/runs/load_runs.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { startWorker } from "../../workers/start_worker.ts";
import { createWorkerPool, type PoolFailure } from "../../workers/worker_pool.ts";
import {
  answerTo,
  type BacktestOptions,
  type JudgeQuestion,
  type JudgingAnswer,
  type JudgingQuestion,
  type JudgingWork,
} from "./judging_questions.ts";
import type { PlanToCompare } from "../../schedules/plan_fit.ts";

/** Each call throws a {@linkcode JudgingError} if it fails or takes too long. */
export type Judging = ReturnType<typeof createJudging>;

export class JudgingError extends Error {
  override readonly name = "JudgingError";
  /** `isUntried`: no worker had time, so the runs are not the cause. */
  constructor(message: string, readonly isUntried = false) {
    super(message);
  }
}

const DEADLINE_MS = 15_000;
/** Longer, because nobody waits for a poll, and workers may only get a tenth of a core. */
const POLL_DEADLINE_MS = 60_000;
/** At least two, so that one is free during a replay. */
const MAX_WORKERS = Math.min(4, Math.max(2, navigator.hardwareConcurrency - 1));

export function createJudging(
  { max = MAX_WORKERS, deadlineMs = DEADLINE_MS, pollDeadlineMs = POLL_DEADLINE_MS }: {
    readonly max?: number;
    readonly deadlineMs?: number;
    readonly pollDeadlineMs?: number;
  } = {},
) {
  const pool = createWorkerPool<JudgingQuestion, JudgingAnswer>({
    start: () => startWorker(new URL("./judging_worker.ts", import.meta.url), () => answerTo),
    max,
    errorOf: (failure, message) =>
      new JudgingError(failureText(failure, message), failure === "busy" || failure === "closed"),
  });

  async function ask<Name extends keyof JudgingWork>(
    name: Name,
    args: Parameters<JudgingWork[Name]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<JudgingWork[Name]>> {
    signal?.throwIfAborted();
    const isPoll = name === "judge";
    const answer = await pool.ask({ name, args }, {
      ms: isPoll ? pollDeadlineMs : deadlineMs,
      isLong: name === "backtest",
      // Polls must not wait for pages, which anybody may ask for.
      isFirst: isPoll,
      signal,
    });
    if ("message" in answer) throw new JudgingError(answer.message);
    return answer.result as ReturnType<JudgingWork[Name]>;
  }

  return {
    judge: (question: JudgeQuestion) => ask("judge", [question]),
    /** Judges a history, as `judgeSchedule` does, without a list of its runs. */
    judgeHistory: (history: RunHistory, options: JudgeOptions) =>
      ask("judgeHistory", [history, options]),
    comparePlan: (question: PlanToCompare, signal?: AbortSignal) =>
      ask("comparePlan", [question], signal),
    backtest: (runs: readonly ReportRun[], options: BacktestOptions, signal?: AbortSignal) =>
      ask("backtest", [runs, options], signal),
    readCalendarFile: (text: string, now: number) => ask("readCalendarFile", [text, now]),
    close: (): void => void pool.close(),
  };
}

function failureText(failure: PoolFailure, message: string | undefined): string {
  switch (failure) {
    case "busy":
      return "Too many histories are waiting to be judged";
    case "closed":
      return "Docket is stopping";
    case "late":
      return "A history was not judged in time";
    case "crashed":
      return `A judging worker ended: ${message}`;
  }
}
