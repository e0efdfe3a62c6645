/**
 * Opens the store that the settings ask for.
 *
 * @module
 */

import { observedEngine } from "../telemetry/engine.ts";
import { openSqlite } from "./sqlite/engine.ts";
import { type Store, storeOn } from "./store.ts";

/** Where the store's data is. */
export interface StoreSettings {
  /** The folder of the SQLite database. */
  readonly dataDir: string;
  /** PostgreSQL, or null for SQLite. */
  readonly databaseUrl: string | null;
  /** Whether this is Deno Deploy, where no file lasts. */
  readonly onDeploy?: boolean;
}

/**
 * Opens the store: PostgreSQL where a URL is given, else SQLite in the data folder, or in memory
 * where a folder would look lasting and be none.
 */
export async function openStore(settings: StoreSettings): Promise<Store> {
  if (settings.databaseUrl !== null) {
    // Only here: the driver is not loaded where it is not needed.
    const { openPostgres } = await import("./postgres/engine.ts");
    return storeOn(observedEngine("postgresql", await openPostgres(settings.databaseUrl)));
  }
  const path = settings.onDeploy ? ":memory:" : `${settings.dataDir}/docket.sqlite`;
  return storeOn(observedEngine("sqlite", await openSqlite(path)));
}
