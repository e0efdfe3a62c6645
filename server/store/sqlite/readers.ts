/** The readers of a SQLite database: workers for searches that would otherwise block the server. */
import { createWorkerPool, type PoolFailure } from "../../workers/worker_pool.ts";
import { DatabaseError } from "../database_error.ts";
import type { QueryLimits } from "../engine.ts";
import type { SqlRow } from "../stored_rows.ts";
import type { Sql } from "../sql.ts";
import type { ReaderAnswer, ReaderQuery, ReaderSetup } from "./reader_worker.ts";

/** How long a reader may take to close the database, in milliseconds. */
const CLOSING_MS = 500;

/** At least two, so that one is free for short searches. */
const MAX_READERS = Math.min(4, Math.max(2, navigator.hardwareConcurrency));

export type Readers = ReturnType<typeof createReaders>;

export function createReaders(path: string, max = MAX_READERS) {
  const stopped = new WeakMap<Worker, Int32Array>();
  let lastNumber = 0;

  function start(): Worker {
    const worker = new Worker(new URL("./reader_worker.ts", import.meta.url), { type: "module" });
    const numbers = new Int32Array(new SharedArrayBuffer(4));
    stopped.set(worker, numbers);
    worker.postMessage({ path, stopped: numbers } satisfies ReaderSetup);
    return worker;
  }

  const pool = createWorkerPool<ReaderQuery, ReaderAnswer>({
    start,
    max,
    errorOf,
    stop: (worker, { number }) => void Atomics.store(stopped.get(worker)!, 0, number),
  });

  return {
    /** The rows of a query; throws a DatabaseError after the deadline, or if too many wait. */
    async read(
      { text, values }: Sql,
      { signal, deadline, isLong }: QueryLimits & { readonly isLong: boolean },
    ): Promise<readonly SqlRow[]> {
      const query = { number: ++lastNumber, text, values };
      const ms = deadline - performance.now();
      const answer = await pool.ask(query, { ms, signal, isLong });
      if ("message" in answer) throw Object.assign(new Error(answer.message), answer);
      return answer.rows;
    },
    close: (): Promise<void> => pool.close(closeDatabase),
  };
}

async function closeDatabase(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.onmessage = ({ data }) => data === "closed" && resolve();
  const timer = setTimeout(resolve, CLOSING_MS);
  worker.postMessage("close");
  await promise;
  clearTimeout(timer);
}

function errorOf(failure: PoolFailure, message?: string): DatabaseError {
  switch (failure) {
    case "busy":
      return new DatabaseError("busy", "", "all readers are busy with long searches");
    case "closed":
      return new DatabaseError("unreachable", "", "Docket is stopping");
    case "late":
      return new DatabaseError("timeout", "", "a search took too long");
    case "crashed": {
      const advice = `a reader stopped: ${message}; Docket must be allowed to read server/store`;
      return new DatabaseError("unusable", "", advice);
    }
  }
}
