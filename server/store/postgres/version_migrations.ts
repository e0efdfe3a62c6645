/**
 * Steps of the schema by which answers and totals that are kept in memory are known to still hold. As
 * the others, they never change once published.
 */

// One row, which says whether totals that are kept in memory still hold.
export const DATA_STATE = `
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

export const RUNS_VERSION = `
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
export const RUNS_STATE = `
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
export const DATA_VERSIONS = `
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
