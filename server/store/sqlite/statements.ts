/** Prepared statements, kept by their text. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Sql } from "../sql.ts";

const MOST = 200; // Texts depend on how many filters and values a search has: there is no end of them.

const LAST_KEY: Sql = { text: "SELECT coalesce(max(key), 0) FROM file_sets", values: [] };

export type Statements = ReturnType<typeof statementsOf>;

/** Prepares each text once, and forgets the one that was made first when there are too many. */
export function statementsOf(db: DatabaseSync) {
  const known = new Map<string, StatementSync>();

  function prepare(text: string): StatementSync {
    let statement = known.get(text);
    if (!statement) {
      statement = db.prepare(text);
      if (known.size >= MOST) known.delete(known.keys().next().value!);
      known.set(text, statement);
    }
    return statement;
  }

  /** The rows of a query, each an array of its values. */
  const read = ({ text, values }: Sql) => withArrays(prepare(text)).all(...values).map(arrayOf);

  return {
    prepare,
    read,
    /** The largest key of a file set, which says how many there are at most. */
    lastKey: () => read(LAST_KEY)[0][0] as number,
    /** The same for a query that a function of ours may stop by throwing. */
    readStoppable({ text, values }: Sql): unknown[][] {
      try {
        // Not all(): where a function throws, it never returns.
        return Array.from(withArrays(prepare(text)).iterate(...values), arrayOf);
      } catch (error) {
        // A statement that was stopped can't be run again.
        known.delete(text);
        throw error;
      }
    },
  };
}

/** Makes rows come as arrays, which is quicker than objects, where the runtime can do it. */
function withArrays(statement: StatementSync): StatementSync {
  (statement as { setReturnArrays?(enabled: boolean): void }).setReturnArrays?.(true);
  return statement;
}

function arrayOf(row: unknown): unknown[] {
  return Array.isArray(row) ? row : Object.values(row as object);
}
