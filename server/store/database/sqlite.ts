/**
 * SQLite in threads: one that writes, one for lookups, and some for searches. So nothing of it blocks
 * the program, and a lookup waits neither for a search nor for another process that writes.
 */
import { systemRuntime, within } from "../../../lib/client/transport/runtime.ts";
import { startWorker, workerInThisThread } from "../../workers/start_worker.ts";
import { createWorkerPool, type PoolFailure } from "../../workers/worker_pool.ts";
import {
  type Answer,
  type Database,
  DatabaseError,
  type DatabaseErrorKind,
  databaseOn,
  DEADLINE_MS,
  type Driver,
  type OpenOptions,
  type ReadOptions,
  type Run,
} from "./database.ts";
import { migrate } from "../schema/migrate.ts";
import {
  type ConnectionAnswer,
  type ConnectionSetup,
  createConnection,
  type Question,
} from "./sqlite_connection.ts";
import { existsSync } from "node:fs";

export interface SqliteOptions extends OpenOptions {
  /** The file, or `:memory:`. */
  readonly path: string;
  /** Whether a file is used in threads, for which most tests don't wait. Default: true. */
  readonly inThreads?: boolean;
}

const MAX_SEARCHES = 2;
const MAX_WAITING_SEARCHES = 200;
/** How long a thread may take to close its connection, in milliseconds. */
const CLOSING_MS = { reader: 500, writer: 5000 };

/** With the default cache of 2 MB, writing a row of a large table reads the file for each index. */
const WRITER = `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536`;
const READER = "PRAGMA cache_size = -32768";

/** Opens a database with the current schema; throws a DatabaseError when it can't be used. */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { path, deadlineMs = DEADLINE_MS, create = true } = options;
  const { inThreads = true, recordsKeys = () => [], migrations } = options;
  const isFile = path !== ":memory:";
  if (isFile && !create) requireFile(path);
  if (isFile) makePrivate(path);
  const reader = {
    path,
    readOnly: true,
    // A write that waits for another process ends before those behind it.
    timeout: Math.ceil(deadlineMs * 2 / 3),
    script: READER,
    inThreads: inThreads && isFile,
  };
  const writer = createLane({ ...reader, readOnly: false, script: WRITER, isSlow: false });
  // What is in memory belongs to one connection, and to hosts without threads: it is a small sample.
  const readers = isFile && {
    lookup: createLane({ ...reader, isSlow: false }),
    search: createLane({ ...reader, isSlow: true }, MAX_SEARCHES, MAX_WAITING_SEARCHES),
  };
  const enqueue = createQueue(deadlineMs);

  const write: Run = (statement) => enqueue(() => writer.run(statement));
  const read: Driver["read"] = async (statement, { lane = "lookup", signal } = {}) => {
    signal?.throwIfAborted();
    if (!readers) return await enqueue(() => writer.run(statement, { signal }));
    return await readers[lane].run(statement, { signal, ms: deadlineMs });
  };

  async function transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    return await enqueue(async () => {
      await writer.run({ text: "BEGIN IMMEDIATE" });
      try {
        const result = await work(writer.run);
        await writer.run({ text: "COMMIT" });
        return result;
      } catch (error) {
        // Fails if SQLite has already done so, as it does when the disk is full.
        await writer.run({ text: "ROLLBACK" }).catch(() => {});
        throw error;
      }
    });
  }

  async function close(): Promise<void> {
    if (readers) {
      await Promise.all(Object.values(readers).map((lane) => lane.close(CLOSING_MS.reader)));
    }
    await enqueue(() => writer.close(CLOSING_MS.writer));
  }

  try {
    await migrate("sqlite", { read: readers ? readers.lookup.run : write, transaction }, {
      create,
      migrations,
    });
    // Opens the writer, which alone can remove the log when all is closed.
    await write({ text: "SELECT 1", values: [] });
  } catch (error) {
    await close();
    throw error;
  }
  return databaseOn({
    system: "sqlite",
    recordsKeys,
    read,
    write,
    transaction,
    maintain: write,
    close,
  });
}

/** Runs one work after the other; what waits longer than `ms` is refused. */
function createQueue(ms: number) {
  const { setTimer } = systemRuntime();
  const late = () => {
    const advice = "other writes, or another process that writes to it, take too long";
    return new DatabaseError("locked", "", advice);
  };
  let last: Promise<unknown> = Promise.resolve();
  return async function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const previous = last;
    const finished = Promise.withResolvers<void>();
    last = previous.then(() => finished.promise);
    try {
      await within(() => previous, ms, setTimer, undefined, late);
      return await work();
    } finally {
      finished.resolve();
    }
  };
}

/** Threads with the same setup, which answer what is asked in turn. */
function createLane(
  { inThreads, ...setup }: Omit<ConnectionSetup, "stopped"> & { readonly inThreads: boolean },
  max = 1,
  maxWaiting = Infinity,
) {
  const stopped = new WeakMap<Worker, Int32Array>();
  let lastNumber = 0;
  const pool = createWorkerPool<Question, ConnectionAnswer>({
    start() {
      const url = new URL("./sqlite_worker.ts", import.meta.url);
      const worker = inThreads
        ? startWorker(url, createConnection)
        : workerInThisThread(createConnection());
      const numbers = new Int32Array(new SharedArrayBuffer(4));
      stopped.set(worker, numbers);
      worker.postMessage({ ...setup, stopped: numbers } satisfies ConnectionSetup);
      return worker;
    },
    max,
    maxWaiting,
    errorOf,
    stop: (worker, { number }) => void Atomics.store(stopped.get(worker)!, 0, number),
  });
  return {
    async run(
      { text, values }: Parameters<Run>[0],
      { ms = Infinity, signal }: Pick<ReadOptions, "signal"> & { readonly ms?: number } = {},
    ): Promise<Answer> {
      const question = { number: ++lastNumber, text, values };
      const answer = await pool.ask(question, { ms, signal });
      if ("message" in answer) throw toDatabaseError(answer);
      return answer;
    },
    close: (ms: number): Promise<void> => pool.close((worker) => closeConnection(worker, ms)),
  };
}

async function closeConnection(worker: Worker, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.onmessage = ({ data }) => data === "closed" && resolve();
  const timer = setTimeout(resolve, ms);
  worker.postMessage("close");
  await promise;
  clearTimeout(timer);
}

function errorOf(failure: PoolFailure, message?: string): DatabaseError {
  switch (failure) {
    case "busy":
      return new DatabaseError("busy", "", "all threads are busy with long searches");
    case "closed":
      return new DatabaseError("unreachable", "", "Docket is stopping");
    case "late":
      return new DatabaseError("timeout", "", "a search took too long");
    case "crashed": {
      const advice = `a thread stopped: ${message}; Docket must be allowed to read server/store`;
      return new DatabaseError("unusable", "", advice);
    }
  }
}

/** The files that SQLite creates beside a database, with the same mode. */
const COMPANIONS = ["-wal", "-shm"];

/** Makes a file accessible to its owner only, if possible, because it contains email addresses. */
function makePrivate(path: string): void {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch {
    // It exists already, or SQLite says why it can't be created.
  }
  for (const file of [path, ...COMPANIONS.map((ending) => path + ending)]) {
    try {
      Deno.chmodSync(file, 0o600);
    } catch {
      // It does not exist, belongs to somebody else, or the platform has no such permissions.
    }
  }
}

/** Throws if the file is missing: otherwise SQLite would create an empty one. */
function requireFile(path: string): void {
  if (existsSync(path)) return;
  const advice = "put it back into DATA_DIR, or restart Docket to create a new one";
  throw new DatabaseError("missing", "", advice);
}

const OWNER = "the user that runs Docket must be able to write to DATA_DIR and its files";
const RESTORE =
  "move it and its -wal file out of DATA_DIR, and restore a backup or start with a new one";

/** Matched against SQLite's messages, which never change; not every error has a number. */
const ERRORS:
  readonly (readonly [pattern: RegExp, kind: DatabaseErrorKind, code: string, advice: string])[] = [
    [/database (table )?is locked/, "locked", "SQLITE_BUSY", "another process is writing to it"],
    [/database or disk is full/, "full", "SQLITE_FULL", "free space on the disk of DATA_DIR"],
    [/readonly database/, "readOnly", "SQLITE_READONLY", OWNER],
    // Also said where a full disk has no room for the files beside the database.
    [/disk I\/O error/, "disk", "SQLITE_IOERR", "free space on DATA_DIR's disk, or replace it"],
    [/is malformed/, "damaged", "SQLITE_CORRUPT", RESTORE],
    [/is not a database/, "damaged", "SQLITE_NOTADB", RESTORE],
    [/unable to open database/, "accessDenied", "SQLITE_CANTOPEN", OWNER],
  ];

/** What to throw for an error of `node:sqlite`. */
export function toDatabaseError(
  { message, code }: { readonly message: string; readonly code?: string },
): Error {
  if (code === "ERR_SQLITE_ERROR") {
    for (const [pattern, kind, name, advice] of ERRORS) {
      if (pattern.test(message)) return new DatabaseError(kind, name, advice);
    }
  }
  return Object.assign(new Error(message), { code });
}
