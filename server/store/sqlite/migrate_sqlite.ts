import type { DatabaseSync } from "node:sqlite";
import { type Migration, missingMigrations } from "../schema/migrations.ts";
import { SQLITE } from "./sqlite_schema.ts";
import { transaction } from "./sqlite_writes.ts";

/** Brings a SQLite database to the current schema. */
export function migrateSqlite(db: DatabaseSync, migrations?: readonly Migration[]): void {
  const missing = () => missingMigrations(SQLITE, stateOf(db), migrations);
  if (missing().length === 0) return;
  transaction(db, () => {
    for (const script of missing()) db.exec(script);
  });
}

function stateOf(db: DatabaseSync) {
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const tables = new Set(names.map(({ name }) => name));
  if (!tables.has("schema_migrations")) return { tables, applied: 0 };
  const { applied } = db.prepare("SELECT count(*) AS applied FROM schema_migrations").get()!;
  return { tables, applied: applied as number };
}
