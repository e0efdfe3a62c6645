/** The store on a database of either database, at a place that the test chooses. */
import { storeOn } from "../../../server/store/store.ts";
import { openPostgresql } from "../../../server/store/database/postgresql.ts";
import { openSqlite } from "../../../server/store/database/sqlite.ts";

/** Opens the store in a PostgreSQL database. */
export async function openPostgresStore(...options: Parameters<typeof openPostgresql>) {
  return storeOn(await openPostgresql(...options));
}

/** Opens the store in a SQLite database. */
export async function openSqliteStore(...options: Parameters<typeof openSqlite>) {
  return storeOn(await openSqlite(...options));
}
