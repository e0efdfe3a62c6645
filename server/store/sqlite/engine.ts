/**
 * SQLite, as the runtime brings it.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import type { Engine } from "../engine.ts";
import { type Store, storeOn } from "../store.ts";
import { SQLITE } from "./dialect.ts";
import { migrate } from "./migrate.ts";
import { statementsOf } from "./statements.ts";
import { clear, put } from "./write.ts";

/** Opens the store in a SQLite file, made when it is missing, or in memory with `:memory:`. */
export async function openSqliteStore(options: { readonly path: string }): Promise<Store> {
  return storeOn(await openSqlite(options.path));
}

/** Opens a SQLite database with the current schema. */
export function openSqlite(path: string): Promise<Engine> {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  try {
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = NORMAL");
    db.exec("PRAGMA foreign_keys = ON");
    // 64 MiB: with the usual 2, a row of a large table costs a read of the file for each index.
    db.exec("PRAGMA cache_size = -65536");
    migrate(db);
  } catch (error) {
    db.close();
    return Promise.reject(error);
  }
  const statements = statementsOf(db);
  return Promise.resolve({
    dialect: SQLITE,
    rows: (sql) => attempt(() => statements(sql.text).all(...sql.values)),
    put: (changes) => attempt(() => put(db, statements, changes)),
    clear: () => attempt(() => clear(db)),
    close: () => attempt(() => db.close()),
  });
}

// The calls are synchronous; what they throw must still come as a rejection.
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}
