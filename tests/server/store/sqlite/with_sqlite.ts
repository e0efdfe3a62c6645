import type { Database } from "../../../../server/store/database/database.ts";
import { openSqlite } from "../../../../server/store/database/sqlite.ts";

/** Does work with an empty database in memory. */
export async function withSqlite(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openSqlite({ path: ":memory:" });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
