/** The schema, written once for both databases, and its later changes. */
import { createHash } from "node:crypto";
import { DatabaseError } from "../database_error.ts";
import type { Dialect } from "./dialect.ts";
import { fileSetTables } from "./file_set_tables.ts";
import { recordTables } from "./record_tables.ts";
import { runTables } from "./run_tables.ts";

export type Migration = (dialect: Dialect) => string;

/** Applied once each, in this order. A released migration never changes. */
export const MIGRATIONS: readonly Migration[] = [firstSchema];

const FOREIGN = "it has tables of another application; give Docket a database of its own";
const NEWER = "it is of a newer version of Docket; start that version, or restore an older backup";
const OTHER =
  "it was made by an unreleased version of Docket; export its data with that version, " +
  "start with a new database, and import the data there";

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
  const isOurs = applied.length > 0 &&
    applied.every((digest, at) => at >= digests.length || digest === digests[at]);
  const isNewer = isOurs && applied.length > digests.length;
  if (tables.size > 0 && (!isOurs || isNewer)) {
    const known = isNewer ? NEWER : OTHER;
    throw new DatabaseError("unusable", "", tables.has("file_sets") ? known : FOREIGN);
  }
  return scripts.map((script, at) =>
    `CREATE TABLE IF NOT EXISTS schema_migrations ` +
    `(number ${dialect.integer} PRIMARY KEY, digest ${dialect.text} NOT NULL)${dialect.options};\n` +
    `${script};\nINSERT INTO schema_migrations VALUES (${at + 1}, '${digests[at]}');`
  ).slice(applied.length);
}

export function firstSchema(dialect: Dialect): string {
  return fileSetTables(dialect) + runTables(dialect) + recordTables(dialect) + ownTables(dialect);
}

function ownTables({ system, text, options }: Dialect): string {
  const isSqlite = system === "sqlite";
  return `
-- Tells this database from others.
CREATE TABLE identity (id ${text} NOT NULL)${options};
INSERT INTO identity VALUES (${isSqlite ? "lower(hex(randomblob(16)))" : "gen_random_uuid()"});
${isSqlite ? "" : REQUEST_COUNTS}`;
}

// As the rate limiter's library requires.
const REQUEST_COUNTS = `
CREATE UNLOGGED TABLE request_counts (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
`;
