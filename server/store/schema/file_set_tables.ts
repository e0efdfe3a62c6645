/** The tables of the embedded service: file sets, schedules, and texts about the data. */
import { FILE_SET_INDEXES } from "../fields.ts";
import { FILE_SET_COLUMNS } from "../stored_rows.ts";
import { type Dialect, POSTGRESQL, SQLITE } from "./dialect.ts";

export function fileSetTables({ system, integer, text, options }: Dialect): string {
  return `
CREATE TABLE schedules (id ${integer} PRIMARY KEY)${options};

CREATE TABLE metadata (name ${text} PRIMARY KEY, value ${text} NOT NULL)${options};

-- A new version for each change of a topic.
CREATE TABLE data_versions (topic ${text} PRIMARY KEY, version ${text} NOT NULL)${options};
INSERT INTO data_versions VALUES ('file sets', ''), ('runs', '');
${system === "sqlite" ? ON_SQLITE : ON_POSTGRESQL}`;
}

/** The columns of file sets; those that are missing are NULL. */
function columns({ integer, text }: Dialect): string {
  const [id, ...others] = FILE_SET_COLUMNS.map(({ name, type }) =>
    `${name} ${type === "TEXT" ? text : integer}${name === "json" ? " NOT NULL" : ""}`
  );
  return [`${id} NOT NULL UNIQUE`, ...others].join(",\n  ");
}

// sqlite_indexes.ts creates the indexes, and sqlite_writes.ts writes the trigrams.
const ON_SQLITE = `
CREATE TABLE file_sets (
  key INTEGER PRIMARY KEY,
  ${columns(SQLITE)}
) STRICT;

CREATE VIRTUAL TABLE file_set_trigrams USING fts5 (
  name_folded, description_folded, owner_folded, permission_folded,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
`;

/** An index takes up to 110 MB, so only fields whose values many rows share have a descending one. */
const INDEXES = FILE_SET_INDEXES
  .filter(({ field, descending }) =>
    !descending || ["createdBy", "updatedBy", "owner", "permission"].includes(field.name)
  )
  .map(({ name, field: { column }, descending }) =>
    `CREATE INDEX ${name} ON file_sets ` +
    `(${column} ${descending ? "DESC NULLS LAST" : "NULLS FIRST"}, id);`
  );

const ON_POSTGRESQL = `
CREATE TABLE file_sets (
  ${columns(POSTGRESQL)}
);
${INDEXES.join("\n")}
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX file_sets_by_trigrams ON file_sets USING gin (
  name_folded gin_trgm_ops, description_folded gin_trgm_ops, owner_folded gin_trgm_ops,
  permission_folded gin_trgm_ops
);
`;
