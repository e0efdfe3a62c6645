/**
 * SQLite, as the runtime brings it.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import type { Changes, Engine } from "../engine.ts";
import { limitInMemory } from "../limit.ts";
import type { Sql } from "../sql.ts";
import { type Store, storeOn } from "../store.ts";
import { makeIndexes } from "./indexes.ts";
import { load } from "./load.ts";
import { migrate } from "./migrate.ts";
import { countFileSets, pageOfFileSets } from "./read.ts";
import { arraysOf, type Statements, statementsOf } from "./statements.ts";
import { clear, put } from "./write.ts";

/** How long a write waits for another process. */
const BUSY_MS = 10_000;

/** Opens the store in a SQLite file, made when it is missing, or in memory with `:memory:`. */
export async function openSqliteStore(options: { readonly path: string }): Promise<Store> {
  return storeOn(await openSqlite(options.path));
}

/** Opens a SQLite database with the current schema. */
export function openSqlite(path: string): Promise<Engine> {
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
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
    writeIfFree: (sql) => attempt(() => writeIfFree(db, statements, sql)),
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
    limit: limitInMemory,
    close: () => attempt(() => db.close()),
  });
}

function writeIfFree(db: DatabaseSync, statements: Statements, { text, values }: Sql): void {
  db.exec("PRAGMA busy_timeout = 0");
  try {
    statements(text).run(...values);
  } catch (error) {
    if (!/locked|busy/.test(String(error))) throw error;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

// The calls are synchronous; what they throw must still come as a rejection.
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}
