/**
 * The schema of the SQLite database, step by step. A step that was published never changes again.
 * The file sets' indexes are kept up by `indexes.ts`, which may put them aside for a while.
 */
import type { DatabaseSync } from "node:sqlite";
import {
  type Dialect,
  MORE_INDEXES,
  observerTables,
  watchEventsTable,
} from "../observer/schema.ts";

// Where many rows share a value, descending order needs an index of its own: read backwards, the
// ascending one would give equal rows in descending order of id.
const FILE_SET_INDEXES = `
CREATE INDEX file_sets_by_name ON file_sets (name, id);
CREATE INDEX file_sets_by_description ON file_sets (description, id);
CREATE INDEX file_sets_by_description_desc ON file_sets (description DESC, id);
CREATE INDEX file_sets_by_created ON file_sets (created, id);
CREATE INDEX file_sets_by_created_by ON file_sets (created_by, id);
CREATE INDEX file_sets_by_created_by_desc ON file_sets (created_by DESC, id);
CREATE INDEX file_sets_by_updated ON file_sets (updated, id);
CREATE INDEX file_sets_by_updated_by ON file_sets (updated_by, id);
CREATE INDEX file_sets_by_updated_by_desc ON file_sets (updated_by DESC, id);
CREATE INDEX file_sets_by_owner ON file_sets (owner, id);
CREATE INDEX file_sets_by_owner_desc ON file_sets (owner DESC, id);
CREATE INDEX file_sets_by_permission ON file_sets (permission, id);
CREATE INDEX file_sets_by_permission_desc ON file_sets (permission DESC, id);
CREATE INDEX file_sets_by_file_count ON file_sets (file_count, id);
CREATE INDEX file_sets_by_file_count_desc ON file_sets (file_count DESC, id);
`;

const JSON_OF_FILE_SET = `json_remove(
  json_object('id', id, 'name', name, 'description', description,
    'created', ${dateTime("created")}, 'createdBy', created_by,
    'updated', ${dateTime("updated")}, 'updatedBy', updated_by,
    'owner', owner, 'permission', permission, 'fileCount', file_count),
  iif(description IS NULL, '$.description', '$.none'))`;

const JSON_OF_RUN = `json_remove(
  json_object('id', id, 'reportId', report_id, 'reportTitle', report_title,
    'reportSubject', report_subject, 'startTime', ${dateTime("start_time")},
    'endTime', ${dateTime("end_time")}, 'automated', json(iif(automated, 'true', 'false')),
    'cardCount', card_count, 'attachmentCount', attachment_count,
    'attachmentSize', attachment_size, 'emailSize', email_size, 'status', status,
    'ownerId', owner_id, 'recipientCount', recipient_count, 'resourceType', resource_type,
    'resourceId', resource_id, 'resourceName', resource_name, 'recipients', json(recipients)),
  iif(end_time IS NULL, '$.endTime', '$.none'))`;

function dateTime(column: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
}

const FOLDED_COLUMNS = ["name_folded", "description_folded", "owner_folded", "permission_folded"];

/**
 * Gives each row its JSON, and folds ẞ as ß is folded. It yields between pieces of work, so that a
 * program with a large database stays alive meanwhile.
 */
function* keepJson(db: DatabaseSync): Generator<void> {
  db.exec("ALTER TABLE file_sets ADD COLUMN json TEXT NOT NULL DEFAULT ''");
  const setJson = db.prepare(
    `UPDATE file_sets SET json = ${JSON_OF_FILE_SET} WHERE key > ? AND key <= ?`,
  );
  const { last } = db.prepare("SELECT coalesce(max(key), 0) AS last FROM file_sets").get()!;
  for (let key = 0; key < Number(last); key += 1000) {
    setJson.run(key, key + 1000);
    yield;
  }
  const columns = FOLDED_COLUMNS.join(", ");
  const isSharp = FOLDED_COLUMNS.map((column) => `instr(${column}, 'ß')`).join(" OR ");
  const folded = FOLDED_COLUMNS.map((column) => `${column} = replace(${column}, 'ß', 'ss')`);
  db.exec(`
    CREATE TEMP TABLE sharp AS SELECT key FROM file_sets WHERE ${isSharp};
    UPDATE file_sets SET ${folded.join(", ")} WHERE key IN (SELECT key FROM sharp);
    DELETE FROM file_set_pieces WHERE rowid IN (SELECT key FROM sharp);
    INSERT INTO file_set_pieces (rowid, ${columns})
      SELECT key, ${columns} FROM file_sets WHERE key IN (SELECT key FROM sharp);
    DROP TABLE sharp;

    ALTER TABLE runs RENAME TO former_runs;
    DROP INDEX runs_by_start;
    CREATE TABLE runs (
      key INTEGER PRIMARY KEY,
      schedule_id INTEGER NOT NULL REFERENCES schedules (id),
      id INTEGER NOT NULL,
      start_time INTEGER NOT NULL,
      end_time INTEGER,
      json TEXT NOT NULL,
      UNIQUE (schedule_id, id)
    ) STRICT;
  `);
  const copy = db.prepare(
    `INSERT INTO runs (key, schedule_id, id, start_time, end_time, json)
    SELECT key, schedule_id, id, start_time, end_time, ${JSON_OF_RUN} FROM former_runs
    WHERE key > ? AND key <= ?`,
  );
  const { lastRun } = db.prepare("SELECT coalesce(max(key), 0) AS lastRun FROM former_runs").get()!;
  for (let key = 0; key < Number(lastRun); key += 1000) {
    copy.run(key, key + 1000);
    yield;
  }
  db.exec(`
    DROP TABLE former_runs;
    CREATE INDEX runs_by_start ON runs (schedule_id, start_time DESC, id);
  `);
}

/** One step: SQL, or work that yields between its pieces. */
export type Migration = string | ((db: DatabaseSync) => Generator<void>);

const DIALECT: Dialect = { integer: "INTEGER", key: "INTEGER PRIMARY KEY", options: " STRICT" };

export const MIGRATIONS: readonly Migration[] = [
  `
CREATE TABLE file_sets (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT,
  created INTEGER NOT NULL,
  created_by INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  updated_by INTEGER NOT NULL,
  owner TEXT NOT NULL,
  permission TEXT NOT NULL,
  file_count INTEGER NOT NULL,
  name_folded TEXT NOT NULL,
  description_folded TEXT,
  owner_folded TEXT NOT NULL,
  permission_folded TEXT NOT NULL
) STRICT;
${FILE_SET_INDEXES}
CREATE TABLE schedules (id INTEGER PRIMARY KEY) STRICT;

CREATE TABLE runs (
  key INTEGER PRIMARY KEY,
  schedule_id INTEGER NOT NULL REFERENCES schedules (id),
  id INTEGER NOT NULL,
  report_id INTEGER NOT NULL,
  report_title TEXT NOT NULL,
  report_subject TEXT NOT NULL,
  start_time INTEGER NOT NULL,
  end_time INTEGER,
  automated INTEGER NOT NULL CHECK (automated IN (0, 1)),
  card_count INTEGER NOT NULL,
  attachment_count INTEGER NOT NULL,
  attachment_size INTEGER NOT NULL,
  email_size INTEGER NOT NULL,
  status TEXT NOT NULL,
  owner_id INTEGER NOT NULL,
  recipient_count INTEGER NOT NULL,
  resource_type TEXT NOT NULL,
  resource_id INTEGER NOT NULL,
  resource_name TEXT NOT NULL,
  recipients TEXT NOT NULL,
  UNIQUE (schedule_id, id)
) STRICT;
CREATE INDEX runs_by_start ON runs (schedule_id, start_time DESC, id);
`,
  `
-- Three-letter pieces of the texts. Written together with file_sets, by write.ts.
CREATE VIRTUAL TABLE file_set_pieces USING fts5 (
  name_folded, description_folded, owner_folded, permission_folded,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO file_set_pieces
  (rowid, name_folded, description_folded, owner_folded, permission_folded)
SELECT key, name_folded, description_folded, owner_folded, permission_folded FROM file_sets;
`,
  `
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`,
  `
CREATE TABLE tokens (
  name TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  created INTEGER NOT NULL,
  last_used INTEGER,
  revoked INTEGER
) STRICT;
`,
  observerTables(DIALECT),
  keepJson,
  `
CREATE TABLE ended_sessions (
  name TEXT PRIMARY KEY,
  before INTEGER NOT NULL,
  expires INTEGER NOT NULL
) STRICT;
`,
  "ALTER TABLE watches ADD COLUMN false_incidents TEXT NOT NULL DEFAULT '[]'",
  MORE_INDEXES,
  "ALTER TABLE watches ADD COLUMN title TEXT NOT NULL DEFAULT ''",
  watchEventsTable(DIALECT),
];
