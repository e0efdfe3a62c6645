/** The tables of the embedded service: file sets, schedules, and texts about the data. */
import { FIELDS } from "../file_sets/fields.ts";
import type { Dialect } from "./dialect.ts";

export function fileSetTables(dialect: Dialect): string {
  const { integer, text, key, options } = dialect;
  const columns = FIELDS.flatMap(({ column, kind, folded }) => [
    `${column} ${kind === "string" ? text : integer}`,
    ...folded === null ? [] : [`${folded} ${text}`],
  ]);
  return `
CREATE TABLE schedules (id ${integer} PRIMARY KEY)${options};

CREATE TABLE metadata (name ${text} PRIMARY KEY, value ${text} NOT NULL)${options};

-- A new version for each change of a topic.
CREATE TABLE data_versions (topic ${text} PRIMARY KEY, version ${text} NOT NULL)${options};
INSERT INTO data_versions VALUES ('runs', '');

-- What is searched and sorted, alone: it is read quickly. What is missing is NULL.
CREATE TABLE file_sets (
  key ${key},
  ${columns.join(",\n  ")},
  CHECK (id IS NOT NULL)
)${options};

-- The file sets as they came.
CREATE TABLE file_set_json (key ${integer} PRIMARY KEY, json ${text} NOT NULL)${options};
${dialect.system === "sqlite" ? ON_SQLITE : ON_POSTGRESQL}`;
}

const INDEXED = FIELDS.filter(({ hasIndex }) => hasIndex);
const TRIGRAMS = FIELDS.filter(({ hasTrigrams }) => hasTrigrams).map(({ folded }) => folded);

const ON_SQLITE = `
CREATE UNIQUE INDEX file_sets_by_id ON file_sets (id);
${
  INDEXED.map(({ column }) => `CREATE INDEX file_sets_by_${column} ON file_sets (${column}, id);`)
    .join("\n")
}
CREATE VIRTUAL TABLE file_set_trigrams USING fts5 (
  ${TRIGRAMS.join(", ")},
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
`;

// An index can't hold texts of any length.
const ON_POSTGRESQL = `
CREATE UNIQUE INDEX file_sets_by_id ON file_sets (left(id, 500), md5(id));
${
  INDEXED.map(({ column, kind }) =>
    `CREATE INDEX file_sets_by_${column} ON file_sets ` +
    `(${kind === "string" ? `left(${column}, 500)` : column} NULLS FIRST);`
  ).join("\n")
}
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX file_sets_by_trigrams ON file_sets USING gin (
  ${TRIGRAMS.map((folded) => `${folded} gin_trgm_ops`).join(", ")}
);
`;
