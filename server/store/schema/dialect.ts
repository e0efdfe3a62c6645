import type { System } from "../database/sql.ts";

/** The words in which the schemas of the databases differ. */
export interface Dialect {
  readonly system: System;
  readonly integer: string;
  /** The type of a text, which is sorted by code points. */
  readonly text: string;
  /** The type of an automatically increasing key, which no later row gets again. */
  readonly key: string;
  /** What follows the columns of each table. */
  readonly options: string;
  /** Follows the columns of a table that is stored in the order of its key. */
  readonly clustered: string;
  /** Reads the names of all tables. */
  readonly tableNames: string;
}

export const SQLITE: Dialect = {
  system: "sqlite",
  integer: "INTEGER",
  text: "TEXT",
  key: "INTEGER PRIMARY KEY AUTOINCREMENT",
  options: " STRICT",
  clustered: " STRICT, WITHOUT ROWID",
  tableNames: "SELECT name FROM sqlite_schema WHERE type = 'table'",
};

export const POSTGRESQL: Dialect = {
  system: "postgresql",
  integer: "bigint",
  text: 'text COLLATE "C"',
  key: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  options: "",
  clustered: "",
  // Without the tables of extensions: a new database may have some, such as those of PostGIS.
  tableNames: "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace " +
    "WHERE relkind IN ('r', 'p') AND nspname = ANY (current_schemas(false)) AND NOT EXISTS " +
    "(SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid " +
    "AND deptype = 'e')",
};
