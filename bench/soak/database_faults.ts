/** Makes databases unavailable for moments. */
import { DatabaseSync } from "node:sqlite";
// @ts-types="@types/pg"
import pg from "pg";
import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 5000;
const LOCKED_MS = 1000;

/** Repeatedly holds the write lock of a SQLite file for a second. */
export async function lockSqlite(path: string, until: number): Promise<void> {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  while (performance.now() < until) {
    db.exec("BEGIN IMMEDIATE");
    await delay(LOCKED_MS);
    db.exec("ROLLBACK");
    await delay(PAUSE_MS);
  }
  db.close();
}

/** Repeatedly breaks all connections to a PostgreSQL database except its own. */
export async function breakConnections(url: string, until: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  while (performance.now() < until) {
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity " +
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await delay(PAUSE_MS);
  }
  await client.end();
}
