/** A database: SQLite or PostgreSQL, which answer the same statements alike. */
import type { Sql, System } from "./sql.ts";

/** How long a statement may take, in milliseconds, but for imports and migrations. */
export const DEADLINE_MS = 15_000;

export interface ReadOptions {
  /** Lookups take milliseconds and never wait for searches. Default: `lookup`. */
  readonly lane?: "lookup" | "search";
  /** Ends the statement when nobody waits for it any more. */
  readonly signal?: AbortSignal;
}

export interface Written<Row> {
  /** The rows of `RETURNING`. */
  readonly rows: readonly Row[];
  /** How many rows were added, changed or removed. */
  readonly changed: number;
}

interface Statements {
  read<Row>(statement: Sql): Promise<readonly Row[]>;
  write<Row = never>(statement: Sql): Promise<Written<Row>>;
}

/** What a transaction offers: reads see what it wrote. */
export interface Transaction extends Statements {
  /** `RECORDS_KEY`, or the key in the data folder: the newest first. */
  readonly recordsKeys: () => readonly string[];
}

/**
 * A database. In a transaction, use nothing but what it offers: SQLite has one at a time.
 *
 * Rows have their columns as properties: `schedule_id` is `scheduleId`.
 *
 * Every call throws a `DatabaseError` that says what to do if the database can't be used.
 */
export interface Database extends Statements {
  readonly system: System;
  read<Row>(statement: Sql, options?: ReadOptions): Promise<readonly Row[]>;
  /** Runs `work` in a transaction; if it throws, all is undone and the error is thrown. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Writes something small; does nothing while the database is locked or can't be written to. */
  writeIfFree(statement: Sql): Promise<void>;
  /** Runs a statement that takes long or needs to be outside of a transaction, such as `VACUUM`. */
  maintain(statement: Sql): Promise<void>;
  close(): Promise<void>;
}

/** The same rows, with the texts of these columns read as JSON; null stays null. */
export function withJson<Row extends object>(
  rows: readonly object[],
  columns: readonly (keyof Row & string)[],
): readonly Row[] {
  return rows.map((row) => {
    const read: Record<string, unknown> = { ...row };
    for (const column of columns) {
      if (typeof read[column] === "string") read[column] = JSON.parse(read[column]);
    }
    return read as Row;
  });
}
