/**
 * Prepared statements, kept by their text.
 *
 * @module
 */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** Gives the prepared statement for a text. */
export type Statements = (text: string) => StatementSync;

const MOST = 200; // Texts depend on how many filters and values a search has: there is no end of them.

/** The rows of a query as arrays: quicker than as objects, where the runtime can do it. */
export function arraysOf(statement: StatementSync, values: readonly SQLInputValue[]): unknown[][] {
  if (!("setReturnArrays" in statement)) {
    return (statement as StatementSync).all(...values).map((row) => Object.values(row));
  }
  (statement as { setReturnArrays(enabled: boolean): void }).setReturnArrays(true);
  return statement.all(...values) as unknown as unknown[][];
}

/** Prepares each text once, and forgets the one that was made first when there are too many. */
export function statementsOf(db: DatabaseSync): Statements {
  const known = new Map<string, StatementSync>();
  return (text) => {
    let statement = known.get(text);
    if (!statement) {
      statement = db.prepare(text);
      if (known.size >= MOST) known.delete(known.keys().next().value!);
      known.set(text, statement);
    }
    return statement;
  };
}
