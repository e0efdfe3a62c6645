/** The schema of PostgreSQL's database. */
import { FIELDS } from "../fields.ts";
import { FILE_SET_INDEXES } from "../indexes.ts";
import type { Dialect } from "../schema/dialect.ts";
import { hasStart, START_LENGTH, startColumn } from "./columns.ts";

/** Generated columns: an index can't hold texts of any length, so their starts are indexed. */
const STARTS = FIELDS.filter(hasStart).map((field) =>
  `${startColumn(field)} text COLLATE "C" GENERATED ALWAYS AS ` +
  `(left(${field.column}, ${START_LENGTH})) STORED`
).join(",\n  ");

/**
 * Indexes for sorting. An index takes 64 to 110 MB for 1,000,000 file sets, so descending order has
 * one of its own only where many rows share a value: elsewhere, the ascending one read backwards
 * leaves few ties to be sorted by id.
 */
const INDEXES = FILE_SET_INDEXES.filter(({ field, descending }) =>
  !descending || ["createdBy", "updatedBy", "owner", "permission"].includes(field.name)
).map(({ name, field, descending }) => {
  const nulls = field.nullable ? " NULLS FIRST" : "";
  const direction = descending ? " DESC" : "";
  return `CREATE INDEX ${name} ON file_sets (${startColumn(field)}${direction}${nulls}, id);`;
}).join("\n");

/** How long the longest text of a file set is. */
export const LONGEST_TEXT = `greatest(${
  FIELDS.filter(hasStart).map(({ column }) => `char_length(${column})`).join(", ")
})`;

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
  json text NOT NULL,
  ${STARTS}
);
${INDEXES}
CREATE INDEX file_sets_by_length ON file_sets ((${LONGEST_TEXT}));
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX file_sets_by_trigrams ON file_sets USING gin (
  name_folded gin_trgm_ops, description_folded gin_trgm_ops, owner_folded gin_trgm_ops,
  permission_folded gin_trgm_ops
);
`;

// In the form that the library for limits wants.
const REQUEST_COUNTS = `
CREATE UNLOGGED TABLE request_counts (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
`;

/** For runs without a start, or with an absurd one. */
const OTHER_MONTHS = `
CREATE TABLE run_versions_other PARTITION OF run_versions DEFAULT;
`;

// Tells whether an answer still holds: the version of a topic is the sum of its rows. A transaction
// raises a row that no other one is writing to, so none waits for another, and each commit makes
// the sum larger.
const DATA_VERSIONS = `
CREATE TABLE data_versions (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text COLLATE "C" NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX data_versions_by_topic ON data_versions (topic);
INSERT INTO data_versions (topic, version) VALUES ('file sets', 1), ('all runs', 1);

CREATE FUNCTION raise_version(changed text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE data_versions SET version = version + 1 WHERE key = (
    SELECT key FROM data_versions WHERE topic = changed LIMIT 1 FOR UPDATE SKIP LOCKED
  );
  IF NOT FOUND THEN
    INSERT INTO data_versions (topic, version) VALUES (changed, 1);
  END IF;
END $$;

CREATE FUNCTION file_sets_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_version('file sets') WHERE EXISTS (SELECT FROM changed);
  RETURN NULL;
END $$;

CREATE FUNCTION run_versions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_version('runs of ' || id) FROM (SELECT DISTINCT schedule_id AS id FROM changed);
  RETURN NULL;
END $$;

CREATE FUNCTION everything_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_version(TG_ARGV[0]);
  RETURN NULL;
END $$;
${
  ["file_sets", "run_versions"].map((table) =>
    [["INSERT", "NEW"], ["UPDATE", "NEW"], ["DELETE", "OLD"]].map(([event, rows]) =>
      `CREATE TRIGGER ${table}_${event} AFTER ${event} ON ${table} ` +
      `REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${table}_changed();`
    ).join("\n")
  ).join("\n")
}
CREATE TRIGGER file_sets_truncate AFTER TRUNCATE ON file_sets
  FOR EACH STATEMENT EXECUTE FUNCTION everything_changed('file sets');
CREATE TRIGGER run_versions_truncate AFTER TRUNCATE ON run_versions
  FOR EACH STATEMENT EXECUTE FUNCTION everything_changed('all runs');
CREATE TRIGGER recipients_update AFTER UPDATE OF json ON recipients
  FOR EACH STATEMENT EXECUTE FUNCTION everything_changed('all runs');
CREATE TRIGGER schedules_delete AFTER DELETE OR TRUNCATE ON schedules
  FOR EACH STATEMENT EXECUTE FUNCTION everything_changed('all runs');
`;

export const POSTGRES: Dialect = {
  integer: "bigint",
  text: 'text COLLATE "C"',
  key: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  options: "",
  clustered: "",
  monthly: " PARTITION BY RANGE (start_time)",
  ownTables: FILE_SETS + REQUEST_COUNTS + OTHER_MONTHS + DATA_VERSIONS,
};
