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

/** A database. Each call may fail; {@linkcode engineThrough} wraps all calls alike. */
export interface Engine {
  readonly database: Database;
  /** The rows of one statement that works on both engines. */
  rows(text: string, values?: Sql["values"]): Promise<readonly SqlRow[]>;
  /** Writes something small; does nothing if the database is locked or can't be written. */
  writeIfFree(sql: Sql): Promise<void>;
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
    writeIfFree: (...args) => make((engine) => engine.writeIfFree(...args)),
    countUse: (...args) => make((engine) => engine.countUse(...args)),
  };
}
