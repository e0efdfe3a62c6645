/** The schema, written once for both databases, and its later changes. */
import { join, type Sql } from "../database/sql.ts";
import { EMBEDDED_TABLES } from "./embedded_tables.ts";
import { RECORD_TABLES } from "./record_tables.ts";
import { RUN_TABLES } from "./run_tables.ts";
import { createTable, namesIn, type Table } from "./tables.ts";

const TABLES: readonly Table[] = [...EMBEDDED_TABLES, ...RUN_TABLES, ...RECORD_TABLES];

/** Columns that rows have the JSON's value of, by whatever table: also recipients as listed. */
export const JSON_COLUMNS = new Set([...TABLES.flatMap(({ json }) => namesIn(json)), "listed"]);

export const BOOLEAN_COLUMNS = new Set([
  ...TABLES.flatMap(({ booleans }) => namesIn(booleans)),
  "is_in_turn",
]);

/** Applied once each, in this order. A released migration never changes. */
export const MIGRATIONS: readonly Sql[] = [join(TABLES.map(createTable), "\n")];
