/**
 * Brings a SQLite database to the current schema.
 *
 * @module
 */

import type { DatabaseSync } from "node:sqlite";
import { newerSchemaError } from "../database_error.ts";
import { MIGRATIONS } from "./migrations.ts";
import { transaction } from "./write.ts";

/** Runs the steps that are missing, once, also when several processes start together. */
export function migrate(db: DatabaseSync): void {
  if (versionOf(db) === MIGRATIONS.length) return;
  // The lock first, then the version again: another process may have been quicker.
  transaction(db, () => {
    const version = versionOf(db);
    if (version > MIGRATIONS.length) throw newerSchemaError(version, MIGRATIONS.length);
    for (const step of MIGRATIONS.slice(version)) db.exec(step);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function versionOf(db: DatabaseSync): number {
  return db.prepare("PRAGMA user_version").get()!.user_version as number;
}
