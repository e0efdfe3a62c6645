/**
 * The readers of a SQLite database: workers for searches that would block the program. Each runs
 * one query at a time; the rest wait their turn.
 */
import { systemRuntime, within } from "../../../lib/client/transport/runtime.ts";
import { DatabaseError } from "../database_error.ts";
import type { QueryOptions } from "../engine.ts";
import type { Row } from "../stored_rows.ts";
import type { Sql } from "../sql.ts";
import type { ReaderAnswer, ReaderQuery, ReaderSetup } from "./reader_worker.ts";

/** A query, and how much work it is. */
export interface ReaderOptions extends QueryOptions {
  /** Whether it may take so long that shorter ones must not wait behind it. */
  readonly isLong: boolean;
}

/** How many queries may wait for a reader. */
const MOST_WAITING = 200;
/** How long a reader may take to close the database, in milliseconds. */
const CLOSING_MS = 500;

interface Job extends ReaderQuery {
  readonly isLong: boolean;
  settle(result: readonly Row[] | Float64Array | Error): void;
}

interface Reader {
  readonly worker: Worker;
  readonly stopped: Int32Array;
  job?: Job;
  onClosed?: () => void;
}

/** At least two, so that one is left for what is short. */
const MOST_READERS = Math.min(4, Math.max(2, navigator.hardwareConcurrency));

export type Readers = ReturnType<typeof createReaders>;

/** Readers of the database at a path, started when they are needed. */
export function createReaders(path: string, most = MOST_READERS) {
  const readers = new Set<Reader>();
  const waiting = new Set<Job>();
  let lastNumber = 0;
  let isClosed = false;

  function start(): Reader {
    const worker = new Worker(new URL("./reader_worker.ts", import.meta.url), { type: "module" });
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const reader: Reader = { worker, stopped };
    worker.onmessage = ({ data }: MessageEvent<ReaderAnswer | "closed">) => {
      if (data === "closed") {
        reader.onClosed?.();
        return;
      }
      const { job } = reader;
      reader.job = undefined;
      job?.settle("message" in data ? Object.assign(new Error(data.message), data) : data.result);
      dispatch();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      readers.delete(reader);
      const advice =
        `a reader stopped: ${event.message}; Docket must be allowed to read server/store`;
      reader.job?.settle(new DatabaseError("unusable", "", advice));
      dispatch();
    };
    worker.postMessage({ path, stopped } satisfies ReaderSetup);
    readers.add(reader);
    return reader;
  }

  /** Gives waiting queries to readers that are free; long ones never take the last. */
  function dispatch(): void {
    for (const job of waiting) {
      const longOnes = [...readers].filter((reader) => reader.job?.isLong).length;
      if (job.isLong && longOnes >= most - 1) continue;
      const idle = [...readers].find((reader) => !reader.job) ??
        (readers.size < most ? start() : undefined);
      if (!idle) return;
      waiting.delete(job);
      idle.job = job;
      const { number, text, values, answer } = job;
      idle.worker.postMessage({ number, text, values, answer } satisfies ReaderQuery);
    }
  }

  /** Stops a query that nobody waits for any more. */
  function stop(job: Job): void {
    if (waiting.delete(job)) return;
    for (const reader of readers) {
      if (reader.job === job) Atomics.store(reader.stopped, 0, job.number);
    }
  }

  async function end(reader: Reader): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    reader.onClosed = resolve;
    const timer = setTimeout(resolve, CLOSING_MS);
    if (reader.job) Atomics.store(reader.stopped, 0, reader.job.number);
    reader.worker.postMessage("close");
    await promise;
    clearTimeout(timer);
    reader.worker.terminate();
  }

  async function ask<Result>(
    { text, values }: Sql,
    answer: ReaderQuery["answer"],
    { signal, deadline, isLong }: ReaderOptions,
  ): Promise<Result> {
    if (isClosed || waiting.size >= MOST_WAITING) {
      throw new DatabaseError("busy", "", "all readers are busy with long searches");
    }
    const work = (ended: AbortSignal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const job: Job = {
        number: ++lastNumber,
        text,
        values,
        answer,
        isLong,
        settle: (result) => result instanceof Error ? reject(result) : resolve(result as Result),
      };
      ended.addEventListener("abort", () => stop(job));
      waiting.add(job);
      dispatch();
      return promise;
    };
    const interruption = (isAbort: boolean) =>
      isAbort ? signal!.reason : new DatabaseError("timeout", "", "a search took too long");
    const { setTimer } = systemRuntime();
    return await within(work, deadline - performance.now(), setTimer, signal, interruption);
  }

  return {
    /**
     * The rows of a query.
     *
     * @throws {DatabaseError} after the deadline, and when too many queries wait already
     */
    read: (sql: Sql, options: ReaderOptions): Promise<readonly Row[]> => ask(sql, "rows", options),
    /** The numbers of a JSON array, which is the only value of a query's only row. */
    readNumbers: (sql: Sql, options: ReaderOptions): Promise<Float64Array> =>
      ask(sql, "numbers", options),
    async close(): Promise<void> {
      isClosed = true;
      for (const job of waiting) {
        job.settle(new DatabaseError("unreachable", "", "Docket is stopping"));
      }
      waiting.clear();
      const last = [...readers];
      readers.clear();
      await Promise.all(last.map(end));
    },
  };
}
