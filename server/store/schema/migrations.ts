/** The schema's migrations, written once for both engines. */
import { newerSchemaError, unreleasedSchemaError } from "../database_error.ts";
import type { Dialect } from "./dialect.ts";
import { ledgerTables } from "./ledger_tables.ts";
import { observerTables } from "./observer_tables.ts";
import { FILE_SET_COLUMNS } from "../stored_rows.ts";

export type Migration = (dialect: Dialect) => string;

/** Applied once each, in this order. A released migration never changes. */
const MIGRATIONS: readonly Migration[] = [firstSchema];

export interface SchemaState {
  readonly tables: ReadonlySet<unknown>;
  readonly applied: number;
}

/** The scripts to run. @throws {DatabaseError} If this version does not know the schema. */
export function missingMigrations(
  dialect: Dialect,
  { tables, applied }: SchemaState,
  migrations: readonly Migration[] = MIGRATIONS,
): readonly string[] {
  if (applied > migrations.length) throw newerSchemaError(applied, migrations.length);
  if (applied === 0 && tables.has("file_sets")) throw unreleasedSchemaError();
  return migrations.slice(applied).map((migration, at) =>
    `CREATE TABLE IF NOT EXISTS schema_migrations ` +
    `(number ${dialect.integer} PRIMARY KEY)${dialect.options};\n` +
    `${migration(dialect)};\nINSERT INTO schema_migrations VALUES (${applied + at + 1});`
  );
}

export function firstSchema(dialect: Dialect): string {
  return serviceTables(dialect) + ledgerTables(dialect) + observerTables(dialect) +
    dialect.ownTables;
}

function serviceTables({ integer, text, options }: Dialect): string {
  return `
CREATE TABLE schedules (id ${integer} PRIMARY KEY)${options};

CREATE TABLE metadata (name ${text} PRIMARY KEY, value ${text} NOT NULL)${options};

CREATE TABLE tokens (
  name ${text} PRIMARY KEY,
  hash ${text} NOT NULL UNIQUE,
  created ${integer} NOT NULL,
  last_used ${integer},
  revoked ${integer}
)${options};

CREATE TABLE ended_sessions (
  name ${text} PRIMARY KEY,
  before ${integer} NOT NULL,
  expires ${integer} NOT NULL
)${options};

-- A new version for each change of a topic.
CREATE TABLE data_versions (topic ${text} PRIMARY KEY, version ${text} NOT NULL)${options};
INSERT INTO data_versions VALUES ('file sets', ''), ('runs', '');
`;
}

export function fileSetColumns({ integer, text }: Pick<Dialect, "integer" | "text">): string {
  const [id, ...others] = FILE_SET_COLUMNS.map(({ name, type, nullable }) =>
    `${name} ${type === "TEXT" ? text : integer}${nullable ? "" : " NOT NULL"}`
  );
  return [`${id} UNIQUE`, ...others].join(",\n  ");
}
