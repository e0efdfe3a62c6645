/** The store on a database of either engine, at a place that the test chooses. */
import { storeOn } from "../../../server/store/store.ts";
import { openPostgres } from "../../../server/store/postgres/open_postgres.ts";
import { openSqlite } from "../../../server/store/sqlite/open_sqlite.ts";

/** Opens the store in a PostgreSQL database. */
export async function openPostgresStore(...options: Parameters<typeof openPostgres>) {
  return storeOn(await openPostgres(...options));
}

/** Opens the store in a SQLite database. */
export async function openSqliteStore(...options: Parameters<typeof openSqlite>) {
  return storeOn(await openSqlite(...options));
}
