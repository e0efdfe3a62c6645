/** A SQLite database on the one connection that all other calls use too, so they take turns. */
import type { DatabaseSync } from "node:sqlite";
import { systemRuntime, within } from "../../../lib/client/transport/runtime.ts";
import type { Database, Transaction, Written } from "../database/database.ts";
import { toRows } from "../database/rows.ts";
import { compile, type Sql } from "../database/sql.ts";
import { DatabaseError } from "../database_error.ts";
import { attempt } from "./sqlite_errors.ts";
import type { Statements } from "./statements.ts";

export type InTurn = <T>(work: () => T | Promise<T>) => Promise<T>;

/** Runs one work after the other; what waits longer than this is refused as locked. */
export function createTurns(ms: number): InTurn {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    const previous = last;
    const turn = Promise.withResolvers<void>();
    last = previous.then(() => turn.promise);
    waiting++;
    try {
      if (waiting === 1) await previous;
      else await within(() => previous, ms, systemRuntime().setTimer, undefined, tooLate);
      return await work();
    } finally {
      waiting--;
      turn.resolve();
    }
  };
}

function tooLate(): DatabaseError {
  return new DatabaseError("locked", "", "another call holds a transaction open");
}

export function sqliteDatabase(
  db: DatabaseSync,
  statements: Statements,
  inTurn: InTurn,
): Omit<Database, "close" | "writeIfFree"> {
  const read = <Row>(statement: Sql): readonly Row[] => {
    const { text, values } = compile(statement, "sqlite");
    const prepared = statements.prepare(text);
    const columns = prepared.columns().map(({ name }) => name);
    return toRows(columns, statements.read({ text, values }));
  };
  const write = <Row>(statement: Sql): Written<Row> => {
    const { text, values } = compile(statement, "sqlite");
    const prepared = statements.prepare(text);
    if (prepared.columns().length === 0) {
      return { rows: [], changed: Number(prepared.run(...values).changes) };
    }
    const rows = read<Row>(statement);
    return { rows, changed: rows.length };
  };
  return {
    system: "sqlite",
    read: (statement, { signal } = {}) =>
      inTurn(() => {
        signal?.throwIfAborted();
        return read(statement);
      }),
    write: (statement) => inTurn(() => write(statement)),
    maintain: (statement) => inTurn(() => void write(statement)),
    transaction: (work) =>
      inTurn(async () => {
        let isOpen = true;
        const whileOpen = <T>(call: () => T) =>
          attempt(() => {
            if (isOpen) return call();
            throw new TypeError("The transaction has ended");
          });
        const transaction: Transaction = {
          read: (statement) => whileOpen(() => read(statement)),
          write: (statement) => whileOpen(() => write(statement)),
        };
        db.exec("BEGIN IMMEDIATE");
        try {
          const result = await work(transaction);
          db.exec("COMMIT");
          return result;
        } catch (error) {
          if (db.isTransaction) db.exec("ROLLBACK");
          throw error;
        } finally {
          isOpen = false;
        }
      }),
  };
}
