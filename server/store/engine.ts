/** What the store needs from a database, SQLite or PostgreSQL. */
import type { Database } from "./database/database.ts";
import type { System } from "./database/sql.ts";
import type { CountUse } from "./limit.ts";
import type { FileSet, ReportRun } from "../../lib/types.ts";
import type { SqlRow } from "./stored_rows.ts";
import type { Sql } from "./sql.ts";

/** Rows to put in one transaction; a row with the same key is replaced. */
export interface Changes {
  /** File sets; the key is the id. */
  readonly fileSets?: readonly FileSet[];
  /** Schedules that exist, also without any run. */
  readonly schedules?: readonly number[];
  /** Runs; the key is schedule and id. Schedules that don't exist yet are added. */
  readonly runs?: readonly ScheduledRun[];
  /** Texts about the data by name, such as whether they are samples; null removes one. */
  readonly metadata?: Readonly<Record<string, string | null>>;
}

export interface VersionSteps {
  readonly steps: readonly TransactionStep[];
  written(rows: readonly (readonly SqlRow[])[]): Written;
}

export interface EngineChanges extends Omit<Changes, "fileSets" | "runs"> {
  readonly versions?: VersionSteps;
}

interface ScheduledRun {
  readonly scheduleId: number;
  readonly run: ReportRun;
}

export interface Written {
  /** Rows that were not there before. */
  readonly added: number;
  /** Rows that were there with other values. */
  readonly changed: number;
}

export type Batches = Iterable<Changes> | AsyncIterable<Changes>;

export interface TransactionStep extends Sql {
  /** Whether the whole transaction is undone if this statement returns no row. */
  readonly required?: boolean;
}

export const DEADLINE_MS = 15_000;

export interface QueryLimits {
  readonly signal?: AbortSignal;
  /** The time, by `performance.now()`, after which the call fails. */
  readonly deadline: number;
}

/** A database. Each call may fail; {@linkcode engineThrough} wraps all calls alike. */
export interface Engine {
  readonly database: Database;
  /** The rows of one statement that works on both engines. */
  rows(text: string, values?: Sql["values"]): Promise<readonly SqlRow[]>;
  /** Runs one transaction; undoes it and returns null if a required statement returned no row. */
  transact(steps: readonly TransactionStep[]): Promise<readonly (readonly SqlRow[])[] | null>;
  /** Writes something small; does nothing if the database is locked or can't be written. */
  writeIfFree(sql: Sql): Promise<void>;
  /** Puts schedules, runs and metadata, all or none; no two have the same key. */
  put(changes: EngineChanges): Promise<Written>;
  /** Prepares tables for runs that start at these times, in milliseconds since 1970. */
  openMonths(starts: readonly number[]): Promise<void>;
  removeRunsBefore(time: number): Promise<void>;
  clear(): Promise<void>;
  readonly countUse: CountUse;
  close(): Promise<void>;
}

export interface OpenEngine extends Engine {
  /** Whether the database was replaced since it was opened, so that it must be opened again. */
  isStale(): boolean;
}

/** An engine whose calls all go through `make`, which chooses the real engine. */
export function engineThrough(
  system: System,
  make: <Result>(call: (engine: Engine) => Promise<Result>) => Promise<Result>,
): Omit<Engine, "close"> {
  return {
    database: {
      system,
      read: (...args) => make(({ database }) => database.read(...args)),
      write: (...args) => make(({ database }) => database.write(...args)),
      transaction: (...args) => make(({ database }) => database.transaction(...args)),
      writeIfFree: (...args) => make(({ database }) => database.writeIfFree(...args)),
      maintain: (...args) => make(({ database }) => database.maintain(...args)),
      close: () => Promise.resolve(),
    },
    rows: (...args) => make((engine) => engine.rows(...args)),
    transact: (...args) => make((engine) => engine.transact(...args)),
    writeIfFree: (...args) => make((engine) => engine.writeIfFree(...args)),
    put: (...args) => make((engine) => engine.put(...args)),
    openMonths: (...args) => make((engine) => engine.openMonths(...args)),
    removeRunsBefore: (...args) => make((engine) => engine.removeRunsBefore(...args)),
    clear: (...args) => make((engine) => engine.clear(...args)),
    countUse: (...args) => make((engine) => engine.countUse(...args)),
  };
}
