/** Opens the database of the settings, when first needed. */
import { type Database, DatabaseError, type OpenOptions } from "./database/database.ts";
import type { System } from "./database/sql.ts";
import { openSqlite } from "./database/sqlite.ts";
import { systemRuntime, within } from "../../lib/client/transport/runtime.ts";

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

/** How long a call waits for the database to open: longer than a connection may take to fail. */
const OPEN_TIMEOUT_MS = 10_000;
/** The pause after a failed attempt. */
const PAUSE_MS = 2000;

export function reconnectingDatabase(
  openDatabase: () => Promise<Database>,
  { system = "sqlite", onRecovered = () => {}, now = () => performance.now() }: {
    readonly system?: System;
    readonly onRecovered?: () => void;
    readonly now?: () => number;
  } = {},
): Database & { open(): Promise<void> } {
  let database: Database | undefined;
  let isClosed = false;
  let opening: Promise<Database> | undefined;
  let failure: { readonly error: unknown; readonly until: number } | null = null;

  async function attempt(): Promise<Database> {
    try {
      database = await openDatabase();
      if (failure) onRecovered();
      failure = null;
      return database;
    } catch (error) {
      failure = { error, until: now() + PAUSE_MS };
      throw error;
    } finally {
      opening = undefined;
    }
  }

  async function current(): Promise<Database> {
    if (isClosed) throw new DatabaseError("unreachable", "", "Docket is stopping");
    if (database) return database;
    // One attempt for all callers, and none during the pause after a failure.
    if (!opening && failure && now() < failure.until) throw failure.error;
    const advice = "its schema is being changed, or it does not answer";
    const late = () => new DatabaseError("unreachable", "", advice);
    const { setTimer } = systemRuntime();
    return await within(() => opening ??= attempt(), OPEN_TIMEOUT_MS, setTimer, undefined, late);
  }

  return {
    system,
    read: async (...args) => (await current()).read(...args),
    write: async (...args) => (await current()).write(...args),
    transaction: async (...args) => (await current()).transaction(...args),
    maintain: async (...args) => (await current()).maintain(...args),
    /** Opens the database unless it is open; throws a DatabaseError while it can't be used. */
    open: async () => void await current(),
    async close() {
      isClosed = true;
      const last = database ?? await opening?.catch(() => undefined);
      database = undefined;
      await last?.close();
    },
  };
}
