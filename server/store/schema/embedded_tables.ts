/** The tables of the embedded service: file sets, schedules, and texts about the data. */
import { FIELDS } from "../file_sets/fields.ts";
import { join, name, perSystem, sql } from "../database/sql.ts";
import type { Table } from "./tables.ts";

const INDEXED = FIELDS.filter(({ hasIndex }) => hasIndex);
const TRIGRAMS = FIELDS.flatMap(({ folded, hasTrigrams }) => hasTrigrams ? name(folded!) : []);

const ON_SQLITE = sql`
CREATE UNIQUE INDEX file_sets_by_id ON file_sets (id);
${
  join(
    INDEXED.map(({ column }) =>
      sql`CREATE INDEX ${name(`file_sets_by_${column}`)} ON file_sets (${name(column)}, id);`
    ),
    " ",
  )
}
CREATE VIRTUAL TABLE file_set_trigrams USING fts5 (
  ${join(TRIGRAMS, ", ")},
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
`;

// An index can't hold texts of any length.
const ON_POSTGRESQL = sql`
CREATE UNIQUE INDEX file_sets_by_id ON file_sets (left(id, 500), md5(id));
${
  join(
    INDEXED.map(({ column, kind }) => {
      const indexed = kind === "string" ? sql`left(${name(column)}, 500)` : name(column);
      return sql`CREATE INDEX ${
        name(`file_sets_by_${column}`)
      } ON file_sets (${indexed} NULLS FIRST);`;
    }),
    " ",
  )
}
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX file_sets_by_trigrams ON file_sets USING gin (
  ${join(TRIGRAMS.map((folded) => sql`${folded} gin_trgm_ops`), ", ")}
);
`;

const mayLack = (column: string) => column === "id" ? column : `${column}?`;

/** The metadata that mark a database with the sample and nothing else in it. */
export const SAMPLE = "sample";

export const EMBEDDED_TABLES: readonly Table[] = [
  // Those of the embedded service; what Docket knows of schedules is in known_schedules.
  { name: "schedules", key: "id", integers: "id" },
  { name: "metadata", key: "name", texts: "name value" },
  {
    // What is searched and sorted, alone: it is read quickly. What is missing is NULL.
    name: "file_sets",
    identity: "key",
    integers: FIELDS.filter(({ kind }) => kind !== "string").map(({ column }) => mayLack(column))
      .join(" "),
    texts: FIELDS.filter(({ kind }) => kind === "string")
      .map(({ column, folded }) => `${mayLack(column)} ${folded}?`).join(" "),
    afterwards: perSystem({ sqlite: ON_SQLITE, postgresql: ON_POSTGRESQL }),
  },
  // The file sets as they came.
  { name: "file_set_json", key: "key", integers: "key", texts: "json" },
];
