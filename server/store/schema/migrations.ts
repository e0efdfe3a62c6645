/** The schema's migrations, written once for both engines. */
import { createHash } from "node:crypto";
import { DatabaseError } from "../database_error.ts";
import type { Dialect } from "./dialect.ts";
import { ledgerTables, seenStatuses, sharedUserIds } from "./ledger_tables.ts";
import { observerTables } from "./observer_tables.ts";
import { incidentSubjects, typedReasons } from "./incident_migrations.ts";
import { FILE_SET_COLUMNS } from "../stored_rows.ts";

export type Migration = (dialect: Dialect) => string;

/** Applied once each, in this order. A released migration never changes. */
export const MIGRATIONS: readonly Migration[] = [
  firstSchema,
  roleOfTokens,
  seenStatuses,
  sharedUserIds,
  ({ fieldsMayBeMissing }) => fieldsMayBeMissing,
  typedReasons,
  () => "ALTER TABLE verdicts DROP COLUMN carried",
  incidentSubjects,
];

/** Whether a column of file sets could be missing in the first schema. */
export const isDescription = (name: string): boolean => name.startsWith("description");
/** The same since then. */
export const isOptional = (name: string): boolean => !["id", "json"].includes(name);

const FOREIGN = "it has tables of another application; give Docket a database of its own";
const NEWER = "it is of a newer version of Docket; start that version, or restore an older backup";
const UNRELEASED = "it was made by an unreleased version of Docket; export its data with that " +
  "version, start with a new database, and import the data there";

export interface SchemaState {
  readonly tables: ReadonlySet<unknown>;
  /** The digests of the scripts that were run, in their order. */
  readonly applied: readonly unknown[];
}

/** The scripts to run. @throws {DatabaseError} If this version does not know the schema. */
export function missingMigrations(
  dialect: Dialect,
  { tables, applied }: SchemaState,
  migrations: readonly Migration[] = MIGRATIONS,
): readonly string[] {
  const scripts = migrations.map((migration) => migration(dialect));
  const digests = scripts.map((script) => createHash("sha256").update(script).digest("hex"));
  const isKnown = applied.length > 0 && applied.every((digest, at) => digest === digests[at]);
  if (tables.size > 0 && !isKnown) {
    const known = applied.length > migrations.length ? NEWER : UNRELEASED;
    throw new DatabaseError("unusable", "", tables.has("file_sets") ? known : FOREIGN);
  }
  return scripts.map((script, at) =>
    `CREATE TABLE IF NOT EXISTS schema_migrations ` +
    `(number ${dialect.integer} PRIMARY KEY, digest ${dialect.text} NOT NULL)${dialect.options};\n` +
    `${script};\nINSERT INTO schema_migrations VALUES (${at + 1}, '${digests[at]}');`
  ).slice(applied.length);
}

export function firstSchema(dialect: Dialect): string {
  return serviceTables(dialect) + ledgerTables(dialect) + observerTables(dialect) +
    dialect.ownTables;
}

function roleOfTokens({ text }: Dialect): string {
  return `ALTER TABLE tokens ADD COLUMN role ${text} NOT NULL DEFAULT 'reader'`;
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

/** The columns of file sets; those that may be missing are NULL then. */
export function fileSetColumns(
  { integer, text }: Pick<Dialect, "integer" | "text">,
  mayBeMissing: (name: string) => boolean,
): string {
  const [id, ...others] = FILE_SET_COLUMNS.map(({ name, type }) =>
    `${name} ${type === "TEXT" ? text : integer}${mayBeMissing(name) ? "" : " NOT NULL"}`
  );
  return [`${id} UNIQUE`, ...others].join(",\n  ");
}
