import type { OpenEngine } from "./engine.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open_sqlite.ts";
import { type Store, storeOn } from "./store.ts";

export interface StoreSettings {
  readonly dataDir: string;
  /** PostgreSQL, or null for SQLite. */
  readonly databaseUrl: string | null;
  /** Whether this is Deno Deploy, where no file lasts. */
  readonly onDeploy?: boolean;
}

export async function openStore(settings: StoreSettings): Promise<Store> {
  return storeOn(await openEngine(settings));
}

/**
 * Opens the database: PostgreSQL where a URL is given, else SQLite in the data folder, or in memory
 * where a folder would look lasting and be none.
 *
 * @throws {DatabaseError} when it can't be used
 */
export async function openEngine(
  settings: StoreSettings,
  { file = "docket.sqlite", ...ofSqlite }: Omit<SqliteOptions, "path"> & {
    /** The name of SQLite's file in the data folder. */
    readonly file?: string;
  } = {},
): Promise<OpenEngine> {
  if (settings.databaseUrl !== null) {
    // Only here: the driver is not loaded where it is not needed.
    const { openPostgres } = await import("./postgres/open_postgres.ts");
    return await openPostgres({ url: settings.databaseUrl });
  }
  const path = settings.onDeploy ? ":memory:" : `${settings.dataDir}/${file}`;
  return await openSqlite({ ...ofSqlite, path });
}
