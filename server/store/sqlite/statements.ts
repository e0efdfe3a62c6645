/** Prepared statements, cached by their text. */
import { LRUCache } from "lru-cache";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Sql } from "../sql.ts";

/** Limits the cache, because the text depends on how many filters and values a search has. */
const MAX_CACHED = 200;

export type Statements = ReturnType<typeof statementsOf>;

export function statementsOf(db: DatabaseSync) {
  const cached = new LRUCache<string, StatementSync>({ max: MAX_CACHED });

  function prepare(text: string): StatementSync {
    let statement = cached.get(text);
    if (!statement) {
      statement = db.prepare(text);
      cached.set(text, statement);
    }
    return statement;
  }

  const read = ({ text, values }: Sql) => withArrays(prepare(text)).all(...values).map(arrayOf);

  return {
    prepare,
    read,
    /** The rows of a query that `alive()` may stop by throwing. */
    readStoppable({ text, values }: Sql): unknown[][] {
      try {
        // Not all(), which never returns if a function throws.
        return Array.from(withArrays(prepare(text)).iterate(...values), arrayOf);
      } catch (error) {
        // A statement that was stopped can't be run again.
        cached.delete(text);
        throw error;
      }
    },
  };
}

/** Makes the statement return rows as arrays, which is quicker, if the runtime supports it. */
function withArrays(statement: StatementSync): StatementSync {
  (statement as { setReturnArrays?(enabled: boolean): void }).setReturnArrays?.(true);
  return statement;
}

function arrayOf(row: unknown): unknown[] {
  return Array.isArray(row) ? row : Object.values(row as object);
}
