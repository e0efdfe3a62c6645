/**
 * SQLite, as the runtime brings it.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import type { Changes, Engine } from "../engine.ts";
import type { Sql } from "../sql.ts";
import { type Store, storeOn } from "../store.ts";
import { makeIndexes } from "./indexes.ts";
import { load } from "./load.ts";
import { migrate } from "./migrate.ts";
import { countFileSets, pageOfFileSets } from "./read.ts";
import { arraysOf, statementsOf } from "./statements.ts";
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
    makeIndexes(db);
  } catch (error) {
    db.close();
    return Promise.reject(error);
  }
  const statements = statementsOf(db);
  const rows = (sql: Sql) => arraysOf(statements(sql.text), sql.values);
  let ownChanges = 0;
  const putOnce = (changes: Changes) => {
    const written = put(db, statements, changes);
    ownChanges += written.added + written.changed;
    return written;
  };
  return Promise.resolve({
    count: (plan) => attempt(() => Number(rows(countFileSets(plan))[0][0])),
    page: (plan, counts) => attempt(() => rows(pageOfFileSets(plan, counts))),
    rows: (sql) => attempt(() => rows(sql)),
    // SQLite's number changes with what others write, and ours with what we do.
    dataVersion: () =>
      attempt(() => `${statements("PRAGMA data_version").get()!.data_version}/${ownChanges}`),
    put: (changes) => attempt(() => putOnce(changes)),
    load: (batches) => load(db, batches, putOnce),
    clear: () =>
      attempt(() => {
        clear(db);
        ownChanges++;
      }),
    close: () => attempt(() => db.close()),
  });
}

// The calls are synchronous; what they throw must still come as a rejection.
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}
