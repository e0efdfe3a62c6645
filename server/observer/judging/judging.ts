/**
 * Judging and replaying off the loop that answers requests: a noisy history of a thousand runs takes
 * up to some 200 ms, and a replay seconds. Workers are started when they are needed.
 */
import type { PlansQuestion } from "../../../lib/runs/judge/judge_schedule.ts";
import type { PlannedPeriod } from "../../../lib/runs/plans/infer.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { Backtest, BacktestOptions } from "../backtest.ts";
import type { JudgedRuns, JudgeQuestion } from "../looking/judge.ts";
import type { Answer, Question } from "./judging_worker.ts";

/** Judges in workers. */
export interface Judging {
  /**
   * Judges copied runs.
   *
   * @throws {JudgingError} after the deadline, or where the runs can't be judged
   */
  judge(question: JudgeQuestion, signal?: AbortSignal): Promise<JudgedRuns>;
  /**
   * Infers plans.
   *
   * @throws {JudgingError} after the deadline
   */
  infer(question: PlansQuestion): Promise<readonly PlannedPeriod[]>;
  /**
   * Replays runs.
   *
   * @throws {JudgingError} after the deadline, or where the runs can't be replayed
   */
  backtest(
    runs: readonly ReportRun[],
    options: BacktestOptions,
    signal?: AbortSignal,
  ): Promise<Backtest>;
  /** Ends the workers, and what they do. */
  close(): void;
}

/** Thrown where runs could not be judged. */
export class JudgingError extends Error {
  override readonly name = "JudgingError";
}

/** How long a question may take from when a worker begins it: it waits no longer than others take. */
const DEADLINE_MS = 15_000;
/** How many questions may wait. */
const MOST_WAITING = 200;
/** So many histories a worker has at once: it goes on while the loop takes what it answered. */
const MOST_AHEAD = 4;
/** One core is left for the loop, where there are several. */
const MOST_WORKERS = Math.min(2, Math.max(1, navigator.hardwareConcurrency - 1));
/** After how long another worker stands in for one, so that nothing waits for a slow history. */
const SLOW_MS = 1000;
/** For so many slow ones another stands in. */
const MOST_SLOW = 2;

interface Job {
  readonly question: Question;
  /** Whether somebody still waits for the answer. */
  isAwaited: boolean;
  settle(answer: Answer | Error): void;
}

interface Judge {
  readonly worker: Worker;
  /** What it was asked, in order: it does the first; null for what another one does instead. */
  jobs: (Job | null)[];
  /** Whether the first takes long. */
  isSlow: boolean;
  /** What happens where it takes long, and where it takes too long. */
  timers: readonly ReturnType<typeof setTimeout>[];
}

/** Workers that judge; at most so many at once, and a few more where some are slow. */
export function createJudging(
  { most = MOST_WORKERS, deadlineMs = DEADLINE_MS, slowMs = SLOW_MS }: {
    readonly most?: number;
    readonly deadlineMs?: number;
    readonly slowMs?: number;
  } = {},
): Judging {
  const judges = new Set<Judge>();
  const waiting = new Set<Job>();
  const late = new JudgingError(`A history was not judged within ${deadlineMs / 1000} s`);
  let isClosed = false;

  function start(): Judge {
    const worker = new Worker(new URL("./judging_worker.ts", import.meta.url), { type: "module" });
    const judge: Judge = { worker, jobs: [], isSlow: false, timers: [] };
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      judge.jobs.shift()?.settle(data);
      begin(judge);
      dispatch();
      if (judge.jobs.length === 0 && judges.size > mostNow()) end(judge);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(judge, new JudgingError(`A worker that judges ended: ${event.message}`));
    };
    judges.add(judge);
    return judge;
  }

  function mostNow(): number {
    return most + Math.min(MOST_SLOW, [...judges].filter(({ isSlow }) => isSlow).length);
  }

  /** Starts the time of what a worker does now, if anything. */
  function begin(judge: Judge): void {
    judge.timers.forEach(clearTimeout);
    judge.isSlow = false;
    if (judge.jobs.length === 0) return;
    judge.timers = [
      setTimeout(() => standInFor(judge), slowMs),
      setTimeout(() => end(judge, late), deadlineMs),
    ];
  }

  /** Has others do what a slow worker has not begun. */
  function standInFor(judge: Judge): void {
    const [current, ...rest] = judge.jobs;
    judge.isSlow = true;
    judge.jobs = [current, ...rest.map(() => null)];
    requeue(rest);
  }

  /** Asks again for what a worker did not do. */
  function requeue(jobs: readonly (Job | null)[]): void {
    const others = [...waiting];
    waiting.clear();
    for (const job of [...jobs, ...others]) if (job?.isAwaited) waiting.add(job);
    if (!isClosed) dispatch();
  }

  function dispatch(): void {
    const asked = new Map<Judge, Question[]>();
    for (const job of waiting) {
      const judge = judgeFor(job);
      if (!judge) break;
      waiting.delete(job);
      judge.jobs.push(job);
      if (judge.jobs[0] === job) begin(judge);
      asked.set(judge, [...asked.get(judge) ?? [], job.question]);
    }
    for (const [{ worker }, questions] of asked) worker.postMessage(questions);
  }

  function judgeFor({ question }: Job): Judge | undefined {
    const idle = [...judges].find(({ jobs }) => jobs.length === 0);
    if (idle) return idle;
    if (judges.size < mostNow()) return start();
    // A replay takes seconds: nothing waits behind one for a worker that may not be the next free one.
    if (question.kind === "backtest") return undefined;
    return [...judges]
      .filter(({ jobs, isSlow }) => !isSlow && jobs[0]?.question.kind !== "backtest")
      .toSorted((a, b) => a.jobs.length - b.jobs.length)
      .find(({ jobs }) => jobs.length < MOST_AHEAD);
  }

  /** Ends a worker: nothing else stops what it computes. What it had not begun, another one does. */
  function end(judge: Judge, reason?: Error): void {
    judge.worker.terminate();
    judge.timers.forEach(clearTimeout);
    judges.delete(judge);
    const [current, ...rest] = judge.jobs;
    if (reason) current?.settle(reason);
    requeue(rest);
  }

  function ask<Result>(question: Question, signal?: AbortSignal): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (isClosed || waiting.size >= MOST_WAITING) {
      return Promise.reject(new JudgingError("Too many histories wait to be judged"));
    }
    const cancel = (reason: Error) => {
      const judge = [...judges].find(({ jobs }) => jobs[0] === job);
      if (judge) return end(judge, reason);
      // A worker that was asked already may still do it, for nobody.
      waiting.delete(job);
      job.settle(reason);
    };
    const leave = () => cancel(signal!.reason);
    signal?.addEventListener("abort", leave);
    const job: Job = {
      question,
      isAwaited: true,
      settle(answer) {
        job.isAwaited = false;
        signal?.removeEventListener("abort", leave);
        if (answer instanceof Error) reject(answer);
        else if ("message" in answer) reject(new JudgingError(answer.message));
        else resolve(answer.result as Result);
      },
    };
    waiting.add(job);
    dispatch();
    return promise;
  }

  return {
    judge: (question, signal) => ask({ kind: "judge", question }, signal),
    infer: (question) => ask({ kind: "infer", question }),
    backtest: (runs, options, signal) => ask({ kind: "backtest", runs, options }, signal),
    close() {
      isClosed = true;
      const closed = new JudgingError("Docket is stopping");
      for (const judge of [...judges]) end(judge, closed);
      for (const job of waiting) job.settle(closed);
      waiting.clear();
    },
  };
}
