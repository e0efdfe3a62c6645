/** The schema of SQLite's database. */
import type { Dialect } from "../schema/dialect.ts";

// The file sets' indexes are made by sqlite_indexes.ts, and the trigrams are written together with
// the file sets by sqlite_writes.ts.
const FILE_SETS = `
CREATE TABLE file_sets (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT,
  created INTEGER NOT NULL,
  created_by INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  updated_by INTEGER NOT NULL,
  owner TEXT NOT NULL,
  permission TEXT NOT NULL,
  file_count INTEGER NOT NULL,
  name_folded TEXT NOT NULL,
  description_folded TEXT,
  owner_folded TEXT NOT NULL,
  permission_folded TEXT NOT NULL,
  json TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE file_set_pieces USING fts5 (
  name_folded, description_folded, owner_folded, permission_folded,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
`;

export const SQLITE: Dialect = {
  integer: "INTEGER",
  text: "TEXT",
  key: "INTEGER PRIMARY KEY",
  options: " STRICT",
  clustered: " STRICT, WITHOUT ROWID",
  monthly: " STRICT",
  ownTables: FILE_SETS,
};
