/** A pool of workers, started when needed. Each answers one question at a time; others wait. */
import { systemRuntime, within } from "../../lib/client/transport/runtime.ts";

/** Why a question is not answered; `busy` if no worker had enough time for it. */
export type PoolFailure = "busy" | "closed" | "late" | "crashed";

interface WorkerPoolOptions<Question> {
  /** Starts a worker, which sends one message for each that it receives. */
  readonly start: () => Worker;
  readonly max: number;
  /** The most questions that wait for a worker. Default: 200. */
  readonly maxWaiting?: number;
  /** Makes a worker give up its question and send a message; otherwise, it is terminated. */
  readonly stop?: (worker: Worker, question: Question) => void;
  /** The error to throw; `message` is that of a worker that crashed. */
  readonly errorOf: (failure: PoolFailure, message?: string) => Error;
}

const MAX_WAITING = 200;

interface Job<Question, Answer> {
  readonly question: Question;
  readonly isLong: boolean;
  readonly isFirst: boolean;
  /** When a worker began, in milliseconds. */
  started: number;
  readonly result: PromiseWithResolvers<Answer>;
}

export function createWorkerPool<Question, Answer>(
  { start, max, maxWaiting = MAX_WAITING, stop, errorOf }: WorkerPoolOptions<Question>,
) {
  type PoolJob = Job<Question, Answer>;
  /** Every worker with the question that it is busy with. */
  const workers = new Map<Worker, PoolJob | null>();
  const waiting = new Set<PoolJob>();
  let isClosed = false;

  function startWorker(): Worker {
    const worker = start();
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const job = workers.get(worker);
      workers.set(worker, null);
      job?.result.resolve(data);
      dispatch();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const job = workers.get(worker);
      workers.delete(worker);
      job?.result.reject(errorOf("crashed", event.message));
      dispatch();
    };
    workers.set(worker, null);
    return worker;
  }

  function dispatch(): void {
    for (const job of [...waiting].sort((a, b) => Number(b.isFirst) - Number(a.isFirst))) {
      const long = [...workers.values()].filter((busyWith) => busyWith?.isLong).length;
      if (job.isLong && long >= Math.max(1, max - 1)) continue;
      // Starting a worker counts as time spent on the question.
      const started = performance.now();
      const idle = [...workers.keys()].find((worker) => !workers.get(worker)) ??
        (workers.size < max ? startWorker() : undefined);
      if (!idle) return;
      waiting.delete(job);
      job.started = started;
      workers.set(idle, job);
      idle.postMessage(job.question);
    }
  }

  function abandon(job: PoolJob): void {
    if (waiting.delete(job)) return;
    const [worker] = [...workers].find(([, busyWith]) => busyWith === job) ?? [];
    if (!worker) return;
    if (stop) return stop(worker, job.question);
    worker.terminate();
    workers.delete(worker);
    dispatch();
  }

  return {
    /** Answers a question; throws the reason of `signal`, or what `errorOf` makes. */
    async ask(
      question: Question,
      { ms, signal, isLong = false, isFirst = false }: {
        /** The most time until the answer, in milliseconds, including the wait for a worker. */
        readonly ms: number;
        readonly signal?: AbortSignal;
        /** Whether it may take long: of several workers, one never takes such questions. */
        readonly isLong?: boolean;
        /** Whether it goes before all others, however many wait. Callers ask few of these at a time. */
        readonly isFirst?: boolean;
      },
    ): Promise<Answer> {
      if (isClosed) throw errorOf("closed");
      if (waiting.size >= maxWaiting && !isFirst) throw errorOf("busy");
      const started = Infinity;
      const job = { question, isLong, isFirst, started, result: Promise.withResolvers<Answer>() };
      const halfTime = performance.now() + ms / 2;
      const work = (ended: AbortSignal) => {
        ended.addEventListener("abort", () => abandon(job));
        waiting.add(job);
        dispatch();
        return job.result.promise;
      };
      const interruption = (isAbort: boolean) =>
        isAbort ? signal!.reason : errorOf(job.started > halfTime ? "busy" : "late");
      return await within(work, ms, systemRuntime().setTimer, signal, interruption);
    },

    /** Rejects all questions, and terminates each worker once `end` is done with it. */
    async close(end: (worker: Worker) => Promise<void> = () => Promise.resolve()): Promise<void> {
      isClosed = true;
      const jobs = [...waiting, ...workers.values()].filter((job) => job !== null);
      const ended = [...workers];
      waiting.clear();
      workers.clear();
      for (const { result } of jobs) result.reject(errorOf("closed"));
      await Promise.all(ended.map(async ([worker, job]) => {
        if (job) stop?.(worker, job.question);
        await end(worker);
        worker.terminate();
      }));
    },
  };
}
