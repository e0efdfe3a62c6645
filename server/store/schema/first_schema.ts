/** The tables that Docket begins with. Times are milliseconds since 1970. */
import type { Dialect } from "./dialect.ts";
import { observerTables } from "./observer_tables.ts";

export function firstSchema(dialect: Dialect): string {
  return serviceTables(dialect) + observerTables(dialect) + dialect.ownTables;
}

/** The embedded service's tables that are alike on both engines. */
function serviceTables({ integer, text, options }: Dialect): string {
  return `
CREATE TABLE schedules (id ${integer} PRIMARY KEY)${options};

CREATE TABLE runs (
  schedule_id ${integer} NOT NULL REFERENCES schedules (id),
  id ${integer} NOT NULL,
  start_time ${integer} NOT NULL,
  end_time ${integer},
  json ${text} NOT NULL,
  PRIMARY KEY (schedule_id, id)
)${options};
CREATE INDEX runs_by_start ON runs (schedule_id, start_time DESC, id);

CREATE TABLE notes (name ${text} PRIMARY KEY, value ${text} NOT NULL)${options};

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
`;
}
