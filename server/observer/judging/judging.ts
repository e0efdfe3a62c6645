/**
 * Judging and replaying in workers, so that requests are answered meanwhile: a noisy history of a
 * thousand runs takes up to some 200 ms, and a replay seconds. Workers start when they are needed.
 * If the host has no workers, this thread does the same work.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { PlansQuestion } from "../../../lib/judgement/judge_schedule.ts";
import type { PlannedPeriod } from "../../../lib/judgement/plans/infer.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { Backtest, BacktestOptions } from "../backtest.ts";
import type { JudgedRuns, JudgeQuestion } from "../polling/judge.ts";
import { type Answer, createAnswering, type Question } from "./answering.ts";

/** Judges in workers. */
export interface Judging {
  /**
   * Judges copied runs.
   *
   * @throws {JudgingError} After the deadline, or if the runs can't be judged.
   */
  judge(question: JudgeQuestion, signal?: AbortSignal): Promise<JudgedRuns>;
  /**
   * Infers plans. When `signal` is aborted, what no worker has begun is dropped.
   *
   * @throws {JudgingError} After the deadline.
   */
  infer(question: PlansQuestion, signal?: AbortSignal): Promise<readonly PlannedPeriod[]>;
  /**
   * Replays runs.
   *
   * @throws {JudgingError} After the deadline, or if the runs can't be replayed.
   */
  backtest(
    runs: readonly ReportRun[],
    options: BacktestOptions,
    signal?: AbortSignal,
  ): Promise<Backtest>;
  /** Ends the workers and their work. */
  close(): void;
}

/** Thrown if runs could not be judged. */
export class JudgingError extends Error {
  override readonly name = "JudgingError";
}

/** How long a question may take after a worker began it. */
const DEADLINE_MS = 15_000;
const MOST_WAITING = 200;
/** How many questions a worker gets at a time, so that it need not wait for the event loop. */
const MOST_AHEAD = 4;
/** The most workers. With several cores, one core is left for the event loop. */
const MOST_WORKERS = Math.min(2, Math.max(1, navigator.hardwareConcurrency - 1));
/** After this time a worker is slow: another one then answers the questions that wait behind it. */
const SLOW_MS = 1000;
/** How many more workers may be started because others are slow. */
const MOST_SLOW = 2;

interface Job {
  readonly question: Question;
  /** Whether somebody is still waiting for the answer. */
  isAwaited: boolean;
  settle(answer: Answer | Error): void;
}

interface Judge {
  readonly worker: Pick<Worker, "postMessage" | "terminate">;
  /** The questions sent to it; it works on the first. Null: another worker took the question. */
  jobs: (Job | null)[];
  /** Whether the first one is slow. */
  isSlow: boolean;
  /** The timers of the first one: for being slow, and for its deadline. */
  timers: readonly ReturnType<typeof setTimeout>[];
}

/** Judges with at most `most` workers at once, and a few more while some are slow. */
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
    const worker = startWorker({
      onAnswer(answer) {
        judge.jobs.shift()?.settle(answer);
        begin(judge);
        dispatch();
        if (judge.jobs.length === 0 && judges.size > mostNow()) end(judge);
      },
      onError: (message) => end(judge, new JudgingError(`A judging worker ended: ${message}`)),
    });
    const judge: Judge = { worker, jobs: [], isSlow: false, timers: [] };
    judges.add(judge);
    return judge;
  }

  function mostNow(): number {
    return most + Math.min(MOST_SLOW, [...judges].filter(({ isSlow }) => isSlow).length);
  }

  /** Starts the timers of a worker's first question, if any. */
  function begin(judge: Judge): void {
    judge.timers.forEach(clearTimeout);
    judge.isSlow = false;
    if (judge.jobs.length === 0) return;
    judge.timers = [
      setTimeout(() => standInFor(judge), slowMs),
      setTimeout(() => end(judge, late), deadlineMs),
    ];
  }

  /** Gives the questions that a slow worker has not begun to other workers. */
  function standInFor(judge: Judge): void {
    const [current, ...rest] = judge.jobs;
    judge.isSlow = true;
    judge.jobs = [current, ...rest.map(() => null)];
    requeue(rest);
  }

  /** Puts jobs that a worker did not do back at the front. */
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
    // A replay takes seconds, so it waits for an idle worker, and nothing is queued behind it.
    if (question.kind === "backtest") return undefined;
    return [...judges]
      .filter(({ jobs, isSlow }) => !isSlow && jobs[0]?.question.kind !== "backtest")
      .toSorted((a, b) => a.jobs.length - b.jobs.length)
      .find(({ jobs }) => jobs.length < MOST_AHEAD);
  }

  /** Ends a worker, since nothing else stops its computation. Others do what it had not begun. */
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
      return Promise.reject(new JudgingError("Too many histories are waiting to be judged"));
    }
    const cancel = (reason: Error) => {
      const judge = [...judges].find(({ jobs }) => jobs[0] === job);
      // Plans are soon inferred; a new worker would have to read again all that this one knows.
      if (judge && question.kind !== "infer") return end(judge, reason);
      // A worker that already has the question may still answer it; that answer is dropped.
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
    infer: (question, signal) => ask({ kind: "infer", question }, signal),
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

interface WorkerEvents {
  onAnswer(answer: Answer): void;
  onError(message: string): void;
}

function startWorker({ onAnswer, onError }: WorkerEvents): Judge["worker"] {
  let worker: Worker;
  try {
    worker = new Worker(new URL("./judging_worker.ts", import.meta.url), { type: "module" });
  } catch {
    return answerHere(onAnswer);
  }
  worker.onmessage = ({ data }: MessageEvent<Answer>) => onAnswer(data);
  worker.onerror = (event) => {
    event.preventDefault();
    onError(event.message);
  };
  return worker;
}

/** Does a worker's job in this thread, and lets others use it between two questions. */
function answerHere(onAnswer: (answer: Answer) => void): Judge["worker"] {
  const answer = createAnswering();
  let isEnded = false;
  let done = Promise.resolve();
  return {
    postMessage(questions: readonly Question[]) {
      for (const question of questions) {
        done = done.then(() => turn()).then(() => {
          if (!isEnded) onAnswer(answer(question));
        });
      }
    },
    terminate: () => void (isEnded = true),
  };
}
