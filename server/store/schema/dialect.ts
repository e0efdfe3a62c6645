import type { System } from "../database/sql.ts";

/** The words in which the schemas of the databases differ. */
export interface Dialect {
  readonly system: System;
  readonly integer: string;
  /** The type of a text, which is sorted by code points. */
  readonly text: string;
  /** The type of an automatically increasing key. */
  readonly key: string;
  /** What follows the columns of each table. */
  readonly options: string;
  /** Follows the columns of a table that is stored in the order of its key. */
  readonly clustered: string;
}

export const SQLITE: Dialect = {
  system: "sqlite",
  integer: "INTEGER",
  text: "TEXT",
  key: "INTEGER PRIMARY KEY",
  options: " STRICT",
  clustered: " STRICT, WITHOUT ROWID",
};

export const POSTGRESQL: Dialect = {
  system: "postgresql",
  integer: "bigint",
  text: 'text COLLATE "C"',
  key: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  options: "",
  clustered: "",
};
