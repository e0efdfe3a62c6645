/** A database that is opened when first needed, and anew after that failed. */
import { systemRuntime, within } from "../../../lib/client/transport/runtime.ts";
import { DatabaseError } from "./database_error.ts";
import type { Database } from "./database.ts";
import type { System } from "./sql.ts";

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
