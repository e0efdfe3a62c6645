/** The schema of PostgreSQL's database. */
import { FILE_SET_INDEXES } from "../fields.ts";
import type { Dialect } from "../schema/dialect.ts";
import { fileSetColumns } from "../schema/first_schema.ts";

const TYPES = { integer: "bigint", text: 'text COLLATE "C"' };

/**
 * Indexes for sorting. An index takes 64 to 110 MB for 1,000,000 file sets, so descending order has
 * one of its own only where many rows share a value: elsewhere, the ascending one read backwards
 * leaves few ties to be sorted by id.
 */
const INDEXES = FILE_SET_INDEXES.filter(({ field, descending }) =>
  !descending || ["createdBy", "updatedBy", "owner", "permission"].includes(field.name)
).map(({ name, field, descending }) => {
  const nulls = field.nullable ? " NULLS FIRST" : "";
  const direction = descending ? " DESC" : "";
  return `CREATE INDEX ${name} ON file_sets (${field.column}${direction}${nulls}, id);`;
}).join("\n");

const FILE_SETS = `
CREATE TABLE file_sets (
  ${fileSetColumns(TYPES)}
);
${INDEXES}
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX file_sets_by_trigrams ON file_sets USING gin (
  name_folded gin_trgm_ops, description_folded gin_trgm_ops, owner_folded gin_trgm_ops,
  permission_folded gin_trgm_ops
);
`;

// In the form that the library for limits wants.
const REQUEST_COUNTS = `
CREATE UNLOGGED TABLE request_counts (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
`;

/** For runs without a start, or with an absurd one. */
const OTHER_MONTHS = `
CREATE TABLE run_versions_other PARTITION OF run_versions DEFAULT;
`;

export const POSTGRES: Dialect = {
  ...TYPES,
  key: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  options: "",
  clustered: "",
  monthly: " PARTITION BY RANGE (start_time)",
  ownTables: FILE_SETS + REQUEST_COUNTS + OTHER_MONTHS,
};
