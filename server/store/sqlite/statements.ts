/** Prepared statements, cached by their text. */
import { LRUCache } from "lru-cache";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Sql } from "../sql.ts";

/** The most cached statements: texts depend on how many filters and values a search has. */
const MOST = 200;

const LAST_KEY: Sql = { text: "SELECT coalesce(max(key), 0) FROM file_sets", values: [] };

export type Statements = ReturnType<typeof statementsOf>;

export function statementsOf(db: DatabaseSync) {
  const cached = new LRUCache<string, StatementSync>({ max: MOST });

  function prepare(text: string): StatementSync {
    let statement = cached.get(text);
    if (!statement) {
      statement = db.prepare(text);
      cached.set(text, statement);
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
    /** The rows of a query that `alive()` may stop by throwing. */
    readStoppable({ text, values }: Sql): unknown[][] {
      try {
        // Not all(): where a function throws, it never returns.
        return Array.from(withArrays(prepare(text)).iterate(...values), arrayOf);
      } catch (error) {
        // A statement that was stopped can't be run again.
        cached.delete(text);
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
