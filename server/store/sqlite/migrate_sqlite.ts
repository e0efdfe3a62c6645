/** Brings a SQLite database to the current schema. */
import type { DatabaseSync } from "node:sqlite";
import { newerSchemaError } from "../database_error.ts";
import { MIGRATIONS } from "./migrations.ts";

/** Runs the steps that are missing, once, also when several processes start together. */
export async function migrate(db: DatabaseSync): Promise<void> {
  if (versionOf(db) === MIGRATIONS.length) return;
  // The lock first, then the version again: another process may have been quicker.
  db.exec("BEGIN IMMEDIATE");
  try {
    const version = versionOf(db);
    if (version > MIGRATIONS.length) throw newerSchemaError(version, MIGRATIONS.length);
    for (const step of MIGRATIONS.slice(version)) {
      if (typeof step === "string") {
        db.exec(step);
        continue;
      }
      for (const _ of step(db)) await new Promise((resolve) => setTimeout(resolve));
    }
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function versionOf(db: DatabaseSync): number {
  return db.prepare("PRAGMA user_version").get()!.user_version as number;
}
