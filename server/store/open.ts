import type { System } from "./database/sql.ts";
import type { OpenEngine } from "./engine.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open_sqlite.ts";
import { type Store, storeOn } from "./store.ts";

export interface StoreSettings {
  readonly dataDir: string;
  /** PostgreSQL, or null for SQLite. */
  readonly databaseUrl: string | null;
  /** Whether this is Deno Deploy, where no file lasts. */
  readonly onDeploy?: boolean;
  /** Whether SQLite runs in threads, for which most tests don't wait. Default: true. */
  readonly inThreads?: boolean;
}

/** The file of the embedded service, and of its records. */
export const DATABASE_FILE = "docket.sqlite";

/** The file of the records in front of an upstream; the embedded service has another one. */
export const RECORDS_FILE = "observer.sqlite";

/** Which database these settings name. */
export function systemOf({ databaseUrl }: Pick<StoreSettings, "databaseUrl">): System {
  return databaseUrl === null ? "sqlite" : "postgresql";
}

export async function openStore(settings: StoreSettings): Promise<Store> {
  return storeOn(await openEngine(settings));
}

/** Opens PostgreSQL if a URL is set; otherwise SQLite, which is in memory on Deno Deploy. */
export async function openEngine(
  settings: StoreSettings,
  { file = DATABASE_FILE, ...sqliteOptions }: Omit<SqliteOptions, "path"> & {
    readonly file?: string;
  } = {},
): Promise<OpenEngine> {
  if (settings.databaseUrl !== null) {
    // Imported here, so that the driver is only loaded when needed.
    const { openPostgres } = await import("./postgres/open_postgres.ts");
    return await openPostgres({ url: settings.databaseUrl });
  }
  const path = settings.onDeploy ? ":memory:" : `${settings.dataDir}/${file}`;
  return await openSqlite({ inThreads: settings.inThreads, ...sqliteOptions, path });
}
