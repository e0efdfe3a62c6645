import type { Database, OpenOptions } from "./database/database.ts";
import type { System } from "./database/sql.ts";
import { openSqlite } from "./database/sqlite.ts";

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
export function chooseSystem({ databaseUrl }: Pick<StoreSettings, "databaseUrl">): System {
  return databaseUrl === null ? "sqlite" : "postgresql";
}

/** Opens PostgreSQL if a URL is set; otherwise SQLite, which is in memory on Deno Deploy. */
export async function openDatabase(
  { databaseUrl, dataDir, onDeploy, inThreads }: StoreSettings,
  { file = DATABASE_FILE, ...options }: OpenOptions & { readonly file?: string } = {},
): Promise<Database> {
  if (databaseUrl !== null) {
    // Imported here, so that the driver is only loaded when needed.
    const { openPostgresql } = await import("./database/postgresql.ts");
    return await openPostgresql({ url: databaseUrl, ...options });
  }
  const path = onDeploy ? ":memory:" : `${dataDir}/${file}`;
  return await openSqlite({ path, inThreads, ...options });
}
