/** What SQLite and PostgreSQL do each in its own way, and a database made of it. */
import { ifWritable } from "./database_error.ts";
import type { Database, ReadOptions, Transaction, Written } from "./database.ts";
import { compile, type Sql, type Statement, type System } from "./sql.ts";

/** What a statement gave: its rows as arrays, with the names of their columns once. */
export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly changed: number;
}

/** Runs a statement, or a script of several, which has no values and gives no rows. */
export type Run = (
  statement: Pick<Statement, "text"> & Partial<Statement>,
) => Promise<Answer>;

/** Every call throws a `DatabaseError` if the database can't be used. */
export interface Driver {
  readonly system: System;
  readonly recordsKeys: Transaction["recordsKeys"];
  read(statement: Statement, options?: ReadOptions): Promise<Answer>;
  readonly write: Run;
  transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result>;
  /** Throws what `ifWritable` skips if it would have to wait. */
  readonly writeIfFree: Run;
  readonly maintain: Run;
  isStale(): boolean;
  close(): Promise<void>;
}

/** A database that was opened. */
export interface OpenDatabase extends Database {
  /** Whether it was replaced since it was opened, so that it must be opened again. */
  isStale(): boolean;
}

export function databaseOn(driver: Driver): OpenDatabase {
  const compiled = (statement: Sql) => compile(statement, driver.system);
  return {
    system: driver.system,
    read: async (statement, options) => toRows(await driver.read(compiled(statement), options)),
    write: async (statement) => toWritten(await driver.write(compiled(statement))),
    transaction: (work) =>
      driver.transaction(async (run) => {
        let isOpen = true;
        const runOpen = (statement: Sql) => {
          if (!isOpen) throw new TypeError("The transaction has ended");
          return run(compiled(statement));
        };
        try {
          return await work({
            read: async (statement) => toRows(await runOpen(statement)),
            write: async (statement) => toWritten(await runOpen(statement)),
            recordsKeys: driver.recordsKeys,
          });
        } finally {
          isOpen = false;
        }
      }),
    writeIfFree: (statement) => ifWritable(() => driver.writeIfFree(compiled(statement))),
    maintain: async (statement) => void await driver.maintain(compiled(statement)),
    isStale: () => driver.isStale(),
    close: () => driver.close(),
  };
}

function toRows<Row>({ columns, rows }: Answer): readonly Row[] {
  const names = columns.map((name) =>
    name.replace(/_[a-z]/g, ([, letter]) => letter.toUpperCase())
  );
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) row[name] = values[at];
    return row as Row;
  });
}

function toWritten<Row>(answer: Answer): Written<Row> {
  return { rows: toRows(answer), changed: answer.changed };
}
