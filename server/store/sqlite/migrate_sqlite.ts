import type { DatabaseSync } from "node:sqlite";
import { SQLITE } from "../schema/dialect.ts";
import { type Migration, missingMigrations } from "../schema/schema.ts";
import { transaction } from "./sqlite_writes.ts";

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
  if (!tables.has("schema_migrations")) return { tables, applied: [] };
  const rows = db.prepare("SELECT * FROM schema_migrations ORDER BY 1").all();
  return { tables, applied: rows.map(({ digest }) => digest) };
}
