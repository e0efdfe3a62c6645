import type { DatabaseSync } from "node:sqlite";
import {
  fileSetColumns,
  isDescription,
  isOptional,
  type Migration,
  missingMigrations,
} from "../schema/migrations.ts";
import { transaction } from "./sqlite_writes.ts";
import type { Dialect } from "../schema/dialect.ts";

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

const TYPES = { integer: "INTEGER", text: "TEXT" };

// sqlite_indexes.ts creates the indexes, and sqlite_writes.ts writes the trigrams.
const FILE_SETS = `
CREATE TABLE file_sets (
  key INTEGER PRIMARY KEY,
  ${fileSetColumns(TYPES, isDescription)}
) STRICT;

CREATE VIRTUAL TABLE file_set_trigrams USING fts5 (
  name_folded, description_folded, owner_folded, permission_folded,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
`;

const SQLITE: Dialect = {
  ...TYPES,
  key: "INTEGER PRIMARY KEY",
  options: " STRICT",
  clustered: " STRICT, WITHOUT ROWID",
  monthly: " STRICT",
  ownTables: FILE_SETS,
  // SQLite can't drop NOT NULL from a column. The indexes are made again when it is opened.
  fieldsMayBeMissing: `
CREATE TABLE new_file_sets (
  key INTEGER PRIMARY KEY,
  ${fileSetColumns(TYPES, isOptional)}
) STRICT;
INSERT INTO new_file_sets SELECT * FROM file_sets;
DROP TABLE file_sets;
ALTER TABLE new_file_sets RENAME TO file_sets`,
  json: {
    column: (name) => name,
    object: "json_object",
    array: "json_array",
    merge: (first, second) => `json_patch(${first}, ${second})`,
  },
};
