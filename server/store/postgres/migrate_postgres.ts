import {
  fileSetColumns,
  isDescription,
  isOptional,
  type Migration,
  missingMigrations,
  type SchemaState,
} from "../schema/migrations.ts";
import { arraysOf, type Connections, inTransaction } from "./connection.ts";
import { FILE_SET_INDEXES } from "../fields.ts";
import { FILE_SET_COLUMNS } from "../stored_rows.ts";
import type { Dialect } from "../schema/dialect.ts";

/** Any number, as long as it never changes. */
const LOCK = 4_715_033_012;

type Connection = Parameters<typeof arraysOf>[0];

export async function migratePostgres(
  { lookups, longWrites }: Connections,
  lockTimeoutMs: number,
  migrations?: readonly Migration[],
): Promise<void> {
  const missing = async (connection: Connection) =>
    missingMigrations(POSTGRES, await stateOf(connection), migrations);
  // Checked without a lock, because a read-only database may be up to date.
  if ((await inTransaction(lookups, missing)).length === 0) return;
  await inTransaction(longWrites, async (client) => {
    // Held until the transaction ends; other instances then find nothing missing.
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    // Short, because searches queue behind a migration that waits for a table.
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    for (const script of await missing(client)) await client.query(script);
  });
}

async function stateOf(connection: Connection): Promise<SchemaState> {
  const read = (text: string) => arraysOf(connection, { text, values: [] });
  // Without the tables of extensions: a new database may have some, such as those of PostGIS.
  const names = await read(
    "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace " +
      "WHERE relkind IN ('r', 'p') AND nspname = ANY (current_schemas(false)) AND NOT EXISTS " +
      "(SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid " +
      "AND deptype = 'e')",
  );
  const tables = new Set(names.map(([name]) => name));
  if (!tables.has("schema_migrations")) return { tables, applied: [] };
  const rows = await read("SELECT * FROM schema_migrations ORDER BY 1");
  return { tables, applied: rows.map(([, digest]) => digest) };
}

const TYPES = { integer: "bigint", text: 'text COLLATE "C"' };

/** An index takes up to 110 MB, so only fields whose values many rows share have a descending one. */
const INDEXED = FILE_SET_INDEXES.filter(({ field, descending }) =>
  !descending || ["createdBy", "updatedBy", "owner", "permission"].includes(field.name)
);

function indexes(mayBeMissing: (name: string) => boolean): string {
  return INDEXED.map(({ name, field, descending }) => {
    const nulls = mayBeMissing(field.column) ? ` NULLS ${descending ? "LAST" : "FIRST"}` : "";
    const direction = descending ? " DESC" : "";
    return `CREATE INDEX ${name} ON file_sets (${field.column}${direction}${nulls}, id);`;
  }).join("\n");
}

const FILE_SETS = `
CREATE TABLE file_sets (
  ${fileSetColumns(TYPES, isDescription)}
);
${indexes(isDescription)}
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX file_sets_by_trigrams ON file_sets USING gin (
  name_folded gin_trgm_ops, description_folded gin_trgm_ops, owner_folded gin_trgm_ops,
  permission_folded gin_trgm_ops
);
`;

// As the rate limiter's library requires.
const REQUEST_COUNTS = `
CREATE UNLOGGED TABLE request_counts (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
`;

/** For runs without a plausible start. */
const OTHER_MONTHS = `
CREATE TABLE run_versions_other PARTITION OF run_versions DEFAULT;
`;

const POSTGRES: Dialect = {
  ...TYPES,
  key: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  options: "",
  clustered: "",
  monthly: " PARTITION BY RANGE (start_time)",
  ownTables: FILE_SETS + REQUEST_COUNTS + OTHER_MONTHS,
  fieldsMayBeMissing: `
ALTER TABLE file_sets ${
    FILE_SET_COLUMNS.filter(({ name }) => isOptional(name))
      .map(({ name }) => `ALTER COLUMN ${name} DROP NOT NULL`).join(", ")
  };
DROP INDEX ${INDEXED.map(({ name }) => name).join(", ")};
${indexes(isOptional).replace(/;$/, "")}`,
  json: {
    column: (name) => `${name}::jsonb`,
    object: "jsonb_build_object",
    array: "jsonb_build_array",
    merge: (first, second) => `(${first} || ${second})`,
  },
};
