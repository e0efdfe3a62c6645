/**
 * The schema of the PostgreSQL database, step by step. A step that was published never changes
 * again.
 */
import { DATA_STATE, DATA_VERSIONS, RUNS_STATE, RUNS_VERSION } from "./version_migrations.ts";
import { FILE_SET_INDEXES } from "../indexes.ts";
import {
  type Dialect,
  MORE_INDEXES,
  observerTables,
  watchEventsTable,
} from "../observer/schema.ts";
import { startColumn } from "./columns.ts";

// Texts are in code point order whatever the database's own collation is. An index can't hold a
// text of any length: the starts are what is sorted by, and the rest only where there is any.
const FILE_SETS = `
CREATE TABLE file_sets (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  created bigint NOT NULL,
  created_by bigint NOT NULL,
  updated bigint NOT NULL,
  updated_by bigint NOT NULL,
  owner text COLLATE "C" NOT NULL,
  permission text COLLATE "C" NOT NULL,
  file_count bigint NOT NULL,
  name_folded text COLLATE "C" NOT NULL,
  description_folded text COLLATE "C",
  owner_folded text COLLATE "C" NOT NULL,
  permission_folded text COLLATE "C" NOT NULL,
  name_start text COLLATE "C" GENERATED ALWAYS AS (left(name, 500)) STORED,
  description_start text COLLATE "C" GENERATED ALWAYS AS (left(description, 500)) STORED,
  owner_start text COLLATE "C" GENERATED ALWAYS AS (left(owner, 500)) STORED,
  permission_start text COLLATE "C" GENERATED ALWAYS AS (left(permission, 500)) STORED
);
${
  FILE_SET_INDEXES.map(({ name, field, descending }) => {
    const nulls = field.nullable ? (descending ? " NULLS LAST" : " NULLS FIRST") : "";
    const direction = descending ? " DESC" : "";
    return `CREATE INDEX ${name} ON file_sets (${startColumn(field)}${direction}${nulls}, id);`;
  }).join("\n")
}
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX file_sets_pieces ON file_sets USING gin (
  name_folded gin_trgm_ops, description_folded gin_trgm_ops, owner_folded gin_trgm_ops,
  permission_folded gin_trgm_ops
);
`;

const NOTES = "CREATE TABLE notes (name text PRIMARY KEY, value text NOT NULL);";

// request_counts has the form that the library for limits wants.
const TOKENS = `
CREATE TABLE tokens (
  name text COLLATE "C" PRIMARY KEY,
  hash text NOT NULL UNIQUE,
  created bigint NOT NULL,
  last_used bigint,
  revoked bigint
);
CREATE UNLOGGED TABLE request_counts (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
`;

const RUNS = `
CREATE TABLE schedules (id bigint PRIMARY KEY);

CREATE TABLE runs (
  schedule_id bigint NOT NULL REFERENCES schedules (id),
  id bigint NOT NULL,
  report_id bigint NOT NULL,
  report_title text NOT NULL,
  report_subject text NOT NULL,
  start_time bigint NOT NULL,
  end_time bigint,
  automated boolean NOT NULL,
  card_count bigint NOT NULL,
  attachment_count bigint NOT NULL,
  attachment_size bigint NOT NULL,
  email_size bigint NOT NULL,
  status text NOT NULL,
  owner_id bigint NOT NULL,
  recipient_count bigint NOT NULL,
  resource_type text NOT NULL,
  resource_id bigint NOT NULL,
  resource_name text NOT NULL,
  recipients text NOT NULL,
  PRIMARY KEY (schedule_id, id)
);
CREATE INDEX runs_by_start ON runs (schedule_id, start_time DESC, id);
`;

const DIALECT: Dialect = {
  integer: "bigint",
  key: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
};

function dateTime(column: string): string {
  const moment = `timestamp 'epoch' + ${column} * interval '1 millisecond'`;
  return `to_char(${moment}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

function foldSharpS(column: string): string {
  return `${column} = replace(${column}, 'ß', 'ss')`;
}

// Each row holds its JSON. ẞ is folded as ß is. The triggers stay out: no total changes.
const KEEP_JSON = `
ALTER TABLE file_sets DISABLE TRIGGER USER, ADD COLUMN json text;
UPDATE file_sets SET json = json_strip_nulls((SELECT row_to_json(row) FROM (SELECT
    id, name, description, ${dateTime("created")} AS created, created_by AS "createdBy",
    ${dateTime("updated")} AS updated, updated_by AS "updatedBy", owner, permission,
    file_count AS "fileCount") AS row)),
  ${foldSharpS("name_folded")}, ${foldSharpS("description_folded")},
  ${foldSharpS("owner_folded")}, ${foldSharpS("permission_folded")};
ALTER TABLE file_sets ENABLE TRIGGER USER, ALTER COLUMN json SET NOT NULL;

ALTER TABLE runs ADD COLUMN json text;
UPDATE runs SET json = json_strip_nulls((SELECT row_to_json(row) FROM (SELECT
    id, report_id AS "reportId", report_title AS "reportTitle",
    report_subject AS "reportSubject", ${dateTime("start_time")} AS "startTime",
    ${dateTime("end_time")} AS "endTime", automated, card_count AS "cardCount",
    attachment_count AS "attachmentCount", attachment_size AS "attachmentSize",
    email_size AS "emailSize", status, owner_id AS "ownerId",
    recipient_count AS "recipientCount", resource_type AS "resourceType",
    resource_id AS "resourceId", resource_name AS "resourceName",
    recipients::json AS recipients) AS row));
ALTER TABLE runs ALTER COLUMN json SET NOT NULL,
  DROP COLUMN report_id, DROP COLUMN report_title, DROP COLUMN report_subject,
  DROP COLUMN automated, DROP COLUMN card_count, DROP COLUMN attachment_count,
  DROP COLUMN attachment_size, DROP COLUMN email_size, DROP COLUMN status,
  DROP COLUMN owner_id, DROP COLUMN recipient_count, DROP COLUMN resource_type,
  DROP COLUMN resource_id, DROP COLUMN resource_name, DROP COLUMN recipients;
`;

const ENDED_SESSIONS = `
CREATE TABLE ended_sessions (
  name text COLLATE "C" PRIMARY KEY,
  before bigint NOT NULL,
  expires bigint NOT NULL
);
`;

// An index with a value first and the id behind it takes 64 to 110 MB for 1,000,000 file sets, so
// only those stay that pay. Read backwards, the ascending one gives the descending order of a field
// whose values few rows share: these few are sorted by id, and the first page takes as long as before.
// Where many rows share a value (createdBy, updatedBy, owner, permission), it would take 40 to 320 ms
// instead of 1: these keep both.
const FEWER_INDEXES = ["name", "created", "updated", "description", "file_count"]
  .map((column) => `DROP INDEX file_sets_by_${column}_desc;`).join("\n");

const FALSE_INCIDENTS = `
ALTER TABLE watches ADD COLUMN false_incidents text NOT NULL DEFAULT '[]';
`;

export const MIGRATIONS: readonly string[] = [
  FILE_SETS + DATA_STATE + RUNS,
  NOTES,
  TOKENS,
  observerTables(DIALECT),
  KEEP_JSON,
  ENDED_SESSIONS,
  RUNS_VERSION,
  RUNS_STATE,
  DATA_VERSIONS,
  FEWER_INDEXES,
  FALSE_INCIDENTS,
  MORE_INDEXES,
  "ALTER TABLE watches ADD COLUMN title text NOT NULL DEFAULT ''",
  watchEventsTable(DIALECT),
];
