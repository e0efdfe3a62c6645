/** The schema, written once for both databases, and its later changes. */
import { join, perSystem, type Sql, sql } from "../database/sql.ts";
import { FILE_SET_TABLES } from "./file_set_tables.ts";
import { RECORD_TABLES } from "./record_tables.ts";
import { RUN_TABLES } from "./run_tables.ts";
import { createTable, namesIn, type Table } from "./tables.ts";

/** How often tokens were used in the minute that ends then, counted for all instances. */
const REQUEST_COUNTS = sql`
CREATE UNLOGGED TABLE request_counts (
  key text PRIMARY KEY,
  uses bigint NOT NULL,
  ends bigint NOT NULL
);
`;

const RANDOM_ID = perSystem({
  sqlite: sql`lower(hex(randomblob(16)))`,
  postgresql: sql`gen_random_uuid()`,
});

const TABLES: readonly Table[] = [
  ...FILE_SET_TABLES,
  ...RUN_TABLES,
  ...RECORD_TABLES,
  {
    // Tells this database from others.
    name: "identity",
    texts: "id",
    afterwards: sql`INSERT INTO identity VALUES (${RANDOM_ID});`,
  },
];

/** Columns that rows have the JSON's value of, by whatever table: also recipients as listed. */
export const JSON_COLUMNS = new Set([...TABLES.flatMap(({ json }) => namesIn(json)), "listed"]);

export const BOOLEAN_COLUMNS = new Set([
  ...TABLES.flatMap(({ booleans }) => namesIn(booleans)),
  "is_in_turn",
]);

/** Applied once each, in this order. A released migration never changes. */
export const MIGRATIONS: readonly Sql[] = [
  sql`${join(TABLES.map(createTable), "\n")}
${perSystem({ sqlite: sql``, postgresql: REQUEST_COUNTS })}`,
];
