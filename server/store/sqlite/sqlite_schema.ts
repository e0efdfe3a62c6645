/** The schema of SQLite's database. */
import type { Dialect } from "../schema/dialect.ts";
import { fileSetColumns } from "../schema/first_schema.ts";

const TYPES = { integer: "INTEGER", text: "TEXT" };

// The file sets' indexes are made by sqlite_indexes.ts, and the trigrams are written together with
// the file sets by sqlite_writes.ts.
const FILE_SETS = `
CREATE TABLE file_sets (
  key INTEGER PRIMARY KEY,
  ${fileSetColumns(TYPES)}
) STRICT;

CREATE VIRTUAL TABLE file_set_pieces USING fts5 (
  name_folded, description_folded, owner_folded, permission_folded,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
`;

export const SQLITE: Dialect = {
  ...TYPES,
  key: "INTEGER PRIMARY KEY",
  options: " STRICT",
  clustered: " STRICT, WITHOUT ROWID",
  monthly: " STRICT",
  ownTables: FILE_SETS,
};
