/** The schema, written once for both databases, and its later changes. */
import type { Dialect } from "./dialect.ts";
import { fileSetTables } from "./file_set_tables.ts";
import { recordTables } from "./record_tables.ts";
import { runTables } from "./run_tables.ts";

export type Migration = (dialect: Dialect) => string;

/** Applied once each, in this order. A released migration never changes. */
export const MIGRATIONS: readonly Migration[] = [firstSchema];

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

/** How often tokens were used in the minute that ends then, counted for all instances. */
const REQUEST_COUNTS = `
CREATE UNLOGGED TABLE request_counts (
  key text PRIMARY KEY,
  uses bigint NOT NULL,
  ends bigint NOT NULL
);
`;
