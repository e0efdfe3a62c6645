import type { Database } from "../../../../server/store/database/database.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";

export const recordsKeys = () => ["a key of the tests"];

/** Does work with an empty database. */
export type WithDatabase = (work: (database: Database) => Promise<void>) => Promise<void>;

/** Does work with an empty database in memory. */
export async function withSqlite(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openSqlite({ path: ":memory:", recordsKeys });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
