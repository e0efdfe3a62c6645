/**
 * The schema of the PostgreSQL database, step by step. A step that was published never changes
 * again.
 */
import { FILE_SET_INDEXES } from "../indexes.ts";
import { MORE_INDEXES, observerTables } from "../observer/schema.ts";
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

// One row, which says whether totals that are kept in memory still hold.
const DATA_STATE = `
CREATE TABLE data_state (
  version bigint NOT NULL,
  has_long_texts boolean NOT NULL
);
INSERT INTO data_state VALUES (1, false);

CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE data_state SET version = version + 1, has_long_texts = has_long_texts OR EXISTS (
    SELECT FROM written WHERE greatest(char_length(name), char_length(description),
      char_length(owner), char_length(permission)) > 500
  );
  RETURN NULL;
END $$;

CREATE FUNCTION note_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE data_state SET version = version + 1,
    has_long_texts = has_long_texts AND TG_OP <> 'TRUNCATE';
  RETURN NULL;
END $$;

CREATE TRIGGER file_sets_inserted AFTER INSERT ON file_sets
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_written();
CREATE TRIGGER file_sets_updated AFTER UPDATE ON file_sets
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_written();
CREATE TRIGGER file_sets_deleted AFTER DELETE ON file_sets
  FOR EACH STATEMENT EXECUTE FUNCTION note_removed();
CREATE TRIGGER file_sets_truncated AFTER TRUNCATE ON file_sets
  FOR EACH STATEMENT EXECUTE FUNCTION note_removed();
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

const OBSERVER = observerTables({
  integer: "bigint",
  key: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
});

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

const RUNS_VERSION = `
ALTER TABLE data_state ADD COLUMN runs_version bigint NOT NULL DEFAULT 1;

CREATE FUNCTION note_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE data_state SET runs_version = runs_version + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER runs_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON runs
  FOR EACH STATEMENT EXECUTE FUNCTION note_runs();
CREATE TRIGGER schedules_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON schedules
  FOR EACH STATEMENT EXECUTE FUNCTION note_runs();
`;

// A row of its own: writing runs and writing file sets must not wait for each other.
const RUNS_STATE = `
CREATE TABLE runs_state (version bigint NOT NULL);
INSERT INTO runs_state SELECT runs_version FROM data_state;

CREATE OR REPLACE FUNCTION note_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE runs_state SET version = version + 1;
  RETURN NULL;
END $$;

ALTER TABLE data_state DROP COLUMN runs_version;
`;

// What changed since an answer was made, told for all file sets and for the runs of each schedule. The
// version of a topic is the sum of its rows: a transaction takes a row that no other one is writing
// to, so none waits for another, and whichever commits makes the sum larger.
const DATA_VERSIONS = `
CREATE TABLE data_versions (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text COLLATE "C" NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX data_versions_by_topic ON data_versions (topic);
INSERT INTO data_versions (topic, version) VALUES ('file sets', 1), ('all runs', 1);

CREATE FUNCTION note_change(changed text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE data_versions SET version = version + 1 WHERE key = (
    SELECT key FROM data_versions WHERE topic = changed LIMIT 1 FOR UPDATE SKIP LOCKED
  );
  IF NOT FOUND THEN
    INSERT INTO data_versions (topic, version) VALUES (changed, 1);
  END IF;
END $$;

DROP TRIGGER runs_changed ON runs;
DROP TRIGGER schedules_changed ON schedules;
DROP FUNCTION note_runs;
DROP TABLE runs_state;

CREATE OR REPLACE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM written) THEN
    PERFORM note_change('file sets');
    UPDATE data_state SET has_long_texts = true WHERE NOT has_long_texts AND EXISTS (
      SELECT FROM written WHERE greatest(char_length(name), char_length(description),
        char_length(owner), char_length(permission)) > 500
    );
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_change('file sets');
  UPDATE data_state SET has_long_texts = false WHERE has_long_texts AND TG_OP = 'TRUNCATE';
  RETURN NULL;
END $$;

ALTER TABLE data_state DROP COLUMN version;

CREATE FUNCTION note_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_change('runs of ' || id) FROM (SELECT DISTINCT schedule_id AS id FROM changed) AS ids;
  RETURN NULL;
END $$;

CREATE FUNCTION note_all_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_change('all runs');
  RETURN NULL;
END $$;

CREATE TRIGGER runs_inserted AFTER INSERT ON runs
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_runs();
CREATE TRIGGER runs_updated AFTER UPDATE ON runs
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_runs();
CREATE TRIGGER runs_deleted AFTER DELETE ON runs
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_runs();
CREATE TRIGGER runs_truncated AFTER TRUNCATE ON runs
  FOR EACH STATEMENT EXECUTE FUNCTION note_all_runs();
CREATE TRIGGER schedules_removed AFTER DELETE OR TRUNCATE ON schedules
  FOR EACH STATEMENT EXECUTE FUNCTION note_all_runs();
`;

// An index with a value first and the id behind it takes 64 to 110 MB for 1,000,000 file sets, so
// only those stay that pay. Read backwards, the ascending one gives the descending order of a field
// whose values few rows share: these few are sorted by id, and the first page takes as long as before.
// Where many rows share a value (createdBy, updatedBy, owner, permission), it would take 40 to 320 ms
// instead of 1: these keep both. See bench/RESULTS.md, store_postgres.
const FEWER_INDEXES = ["name", "created", "updated", "description", "file_count"]
  .map((column) => `DROP INDEX file_sets_by_${column}_desc;`).join("\n");

const FALSE_INCIDENTS = `
ALTER TABLE watches ADD COLUMN false_incidents text NOT NULL DEFAULT '[]';
`;

export const MIGRATIONS: readonly string[] = [
  FILE_SETS + DATA_STATE + RUNS,
  NOTES,
  TOKENS,
  OBSERVER,
  KEEP_JSON,
  ENDED_SESSIONS,
  RUNS_VERSION,
  RUNS_STATE,
  DATA_VERSIONS,
  FEWER_INDEXES,
  FALSE_INCIDENTS,
  MORE_INDEXES,
];
