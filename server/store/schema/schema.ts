/** The schema, written once for both databases, and its later changes. */
import { FIELDS, TRIGRAMS } from "../file_sets/conditions.ts";
import { join, name, perSystem, type Sql, sql } from "../database/sql.ts";
import { createTable, namesIn, type Table } from "./tables.ts";

/** The permission has few values: then reading all rows is faster. */
const INDEXED = FIELDS.filter(({ column }) => column !== "id" && column !== "permission");

const ON_SQLITE = sql`
CREATE UNIQUE INDEX file_sets_by_id ON file_sets (id);
${
  join(
    INDEXED.map(({ column }) =>
      sql`CREATE INDEX ${name(`file_sets_by_${column}`)} ON file_sets (${name(column)}, id);`
    ),
    " ",
  )
}
CREATE VIRTUAL TABLE file_set_trigrams USING fts5 (
  ${join(TRIGRAMS, ", ")},
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
`;

// Other indexes can't hold texts of any length, and it sorts quickly without them.
const ON_POSTGRESQL = sql`
CREATE INDEX file_sets_by_id ON file_sets USING hash (id);
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX file_sets_by_trigrams ON file_sets USING gin (
  ${join(TRIGRAMS.map((folded) => sql`${folded} gin_trgm_ops`), ", ")}
);
`;

const mayLack = (column: string) => column === "id" ? column : `${column}?`;

/** What the embedded service has: the sample alone, part of a sample, or anything else, also nothing. */
export type Contents = "sample" | "incomplete" | "own";

/** The name of the metadata that say so; a new database has none. */
export const CONTENTS = "contents";

/** SQLite sorts them so anyway, and has no words for it in an index. */
const NULLS_LAST = perSystem({ sqlite: sql``, postgresql: sql`NULLS LAST` });

const RANDOM_ID = perSystem({
  sqlite: sql`lower(hex(randomblob(16)))`,
  postgresql: sql`gen_random_uuid()`,
});

const TABLES: readonly Table[] = [
  // Those of the embedded service; what Docket knows of schedules is in known_schedules.
  { name: "schedules", key: "id", integers: "id" },
  { name: "metadata", key: "name", texts: "name value" },
  {
    // What is searched and sorted, alone: it is read quickly. What is missing is NULL.
    name: "file_sets",
    identity: "key",
    integers: FIELDS.filter(({ kind }) => kind !== "string").map(({ column }) => mayLack(column))
      .join(" "),
    texts: FIELDS.filter(({ kind }) => kind === "string")
      .map(({ column, folded }) => `${mayLack(column)} ${folded}?`).join(" "),
    afterwards: perSystem({ sqlite: ON_SQLITE, postgresql: ON_POSTGRESQL }),
  },
  // The file sets as they came.
  { name: "file_set_json", key: "key", integers: "key", texts: "json" },
  {
    // The newest answer for each run, without its recipients. What the service no longer has is gone.
    name: "runs",
    key: "schedule_id run_id",
    integers: "schedule_id run_id start? list_id? read_at changed_at gone_at?",
    texts: "status? json",
    isClustered: true,
    afterwards: sql`
CREATE INDEX runs_by_start ON runs (schedule_id, start DESC ${NULLS_LAST}, run_id);
CREATE INDEX runs_by_id ON runs (run_id);
CREATE INDEX runs_by_list ON runs (list_id);
`,
  },
  // A new version for each change of a topic, by which answers that are kept stay true.
  {
    name: "data_versions",
    key: "topic",
    texts: "topic version",
    afterwards: sql`INSERT INTO data_versions VALUES ('runs', ''), ('file_sets', '');`,
  },
  // A list of recipients: the ids of their forms, in the order of the runs that have it.
  { name: "lists", identity: "id", texts: "digest", json: "members", unique: "digest" },
  {
    // A recipient exactly as listed. A person may be listed in several forms. The user id is one that
    // identifies somebody; the address is in lower case.
    name: "forms",
    identity: "id",
    integers: "person_id? user_id?",
    texts: "address? digest json",
    unique: "digest",
    afterwards: sql`
CREATE INDEX forms_by_person ON forms (person_id);
CREATE INDEX forms_by_user ON forms (user_id);
CREATE INDEX forms_by_address ON forms (address);
`,
  },
  // User ids that one run listed with several addresses, so that they identify nobody.
  { name: "shared_user_ids", key: "user_id", integers: "user_id" },
  {
    // A person: the key is "u" and the user id, or "a" and the address in lower case, or "f" and the
    // id of a forgotten one. The form is that of the latest run.
    name: "people",
    identity: "id",
    integers: "user_id? form_id? first? last? added? schedules receiving left_at?",
    texts: "key domain? folded",
    unique: "key",
    afterwards: sql`
CREATE INDEX people_by_domain ON people (domain, receiving, first) WHERE last IS NOT NULL;
CREATE INDEX people_by_schedules ON people (schedules DESC, id) WHERE last IS NOT NULL;
CREATE INDEX people_by_left ON people (left_at) WHERE left_at IS NOT NULL;
`,
  },
  {
    // Who received which schedule, from its good runs.
    name: "receipts",
    key: "schedule_id person_id",
    integers: "schedule_id person_id form_id first last runs receiving",
    isClustered: true,
    afterwards: sql`CREATE INDEX receipts_by_person ON receipts (person_id, schedule_id);`,
  },
  {
    // Schedules that have runs: when the first good one started, and whether receipts are counted.
    name: "histories",
    key: "schedule_id",
    integers: "schedule_id first_start? is_counted",
    afterwards: sql`
CREATE INDEX histories_uncounted ON histories (schedule_id) WHERE is_counted = 0;
`,
  },
  {
    // How many runs of each schedule have each status; empty for none.
    name: "seen_statuses",
    key: "schedule_id status",
    integers: "schedule_id runs",
    texts: "status",
    isClustered: true,
  },
  {
    // People who left, at the end of their last day.
    name: "leavers",
    identity: "id",
    integers: "user_id? left_at added_at",
    texts: "address?",
    unique: "user_id address",
  },
  {
    // Decisions on a person or a domain, for one schedule or for all.
    name: "recipient_decisions",
    identity: "id",
    integers: "person_id? schedule_id? expected at until? ended? closed? closed_run?",
    texts: "domain? why",
    json: "actor ended_by?",
    afterwards: sql`
CREATE INDEX recipient_decisions_by_person ON recipient_decisions (person_id);
CREATE INDEX recipient_decisions_by_schedule ON recipient_decisions (schedule_id);
`,
  },
  {
    // Digests of user ids and addresses of forgotten people, and the key that they were made with.
    name: "forgotten",
    key: "digest",
    integers: "person_id",
    texts: "digest key_id",
  },
  {
    // Schedules that are not watched are read once a day and have no incidents.
    name: "known_schedules",
    key: "schedule_id",
    integers: "schedule_id watched owner_id? muted_until? created due lease_until? polled? " +
      "failures failing_since? lacked_since? history_read?",
    texts: "source name title owner lease? failure? failure_kind? lacked?",
    json: "plans pauses",
    afterwards: sql`
CREATE VIEW watches AS SELECT * FROM known_schedules WHERE watched = 1;
`,
  },
  {
    // Scans for schedules that request each id of a range.
    name: "scans",
    key: "first_id last_id",
    integers: "first_id last_id next_id rate started ended? paused_until failed",
    texts: "stopped?",
    json: "answers?",
    booleans: "answers_empty?",
  },
  {
    // The service's answer when an id was requested.
    name: "id_answers",
    key: "schedule_id",
    integers: "schedule_id requested",
    texts: "answer",
  },
  {
    name: "verdicts",
    key: "schedule_id",
    integers: "schedule_id judged holds_until last_success? next_due? overdue failing people?",
    texts: "state headline plan_source? reached",
    json: "strip day details",
  },
  {
    name: "incidents",
    key: "id",
    integers: "version schedule_id? opened notified? acknowledged? muted_until? resolved? " +
      "reason_ended? since? notify_at?",
    texts: "id code severity family subject said",
    json: "reason acknowledged_by? resolved_by? ending?",
    afterwards: sql`
CREATE UNIQUE INDEX incidents_open ON incidents (coalesce(schedule_id, -1), family, subject)
  WHERE resolved IS NULL;
CREATE INDEX incidents_by_schedule ON incidents (schedule_id, resolved);
`,
  },
  {
    // What happened to incidents, or with a schedule, what people did with it; stays after a watch.
    name: "events",
    identity: "key",
    integers: "schedule_id? at",
    texts: "incident_id? kind note?",
    json: "actor?",
    afterwards: sql`
CREATE INDEX events_by_incident ON events (incident_id);
CREATE INDEX events_by_schedule ON events (schedule_id);
`,
  },
  {
    // The outbox.
    name: "messages",
    key: "id",
    integers: "created held_until? due? attempts lease_until? sent? given_up?",
    texts: "id outlet incident_id? event merged_into? lease? error?",
    afterwards: sql`
CREATE INDEX messages_by_merge ON messages (merged_into);
CREATE INDEX messages_by_due ON messages (due) WHERE due IS NOT NULL;
CREATE INDEX messages_by_created ON messages (created DESC, id);
CREATE INDEX messages_by_incident ON messages (incident_id);
`,
  },
  // People or teams who look after schedules. The key is the name without differences of case.
  { name: "owners", key: "key", integers: "changed", texts: "key name", json: "quiet? actor" },
  {
    // How owners are notified. A channel with a new secret is a new channel.
    name: "channels",
    key: "id",
    integers: "created",
    texts: "id owner_key kind hint sealed",
    afterwards: sql`CREATE UNIQUE INDEX channels_by_owner ON channels (owner_key, kind);`,
  },
  {
    // Days without runs, for some schedules or, if their ids are null, for all.
    name: "calendars",
    key: "key",
    integers: "changed",
    texts: "key name",
    json: "days schedule_ids? actor",
  },
  {
    // What the service's statuses mean, in one row: said by the setting STATUSES, and by people.
    name: "status_meanings",
    json: "meanings",
    afterwards: sql`INSERT INTO status_meanings VALUES ('{"setting":{},"said":{}}');`,
  },
  // When each duty is due that one instance does for all.
  { name: "duties", key: "name", integers: "due", texts: "name" },
  // How often something was done, by outcome and outlet.
  {
    name: "counters",
    key: "counted outlet outcome",
    integers: "count",
    texts: "counted outlet outcome",
  },
  {
    // The outlets in the settings of any process. Several may have one with different receivers.
    name: "outlets",
    key: "name receiver",
    integers: "seen",
    texts: "name receiver",
    booleans: "takes_critical",
  },
  {
    // Facts about the service and the records, in one row. The id tells this database from others.
    name: "service",
    integers: "paused_until? checked checked_since channels_since outlets_checked?",
    texts: "id identity? origin? evidence_key?",
    json: "clock_offsets? inside?",
    afterwards: sql`INSERT INTO service
  (id, checked, checked_since, channels_since) VALUES (${RANDOM_ID}, 0, 0, 0);`,
  },
  {
    name: "tokens",
    key: "name",
    integers: "created last_used? revoked?",
    texts: "name hash role",
    unique: "hash",
  },
  // Forms that were sent lately: a digest of key and entries, and the redirect, once there is one.
  { name: "sent_forms", key: "digest", integers: "at", texts: "digest", json: "redirect?" },
  { name: "ended_sessions", key: "name", integers: "before expires", texts: "name" },
];

/** Columns that rows have the JSON's value of, by whatever table: also recipients as listed. */
export const JSON_COLUMNS = new Set([...TABLES.flatMap(({ json }) => namesIn(json)), "listed"]);

export const BOOLEAN_COLUMNS = new Set([
  ...TABLES.flatMap(({ booleans }) => namesIn(booleans)),
  "is_in_turn",
]);

/** Applied once each, in this order. A released migration never changes. */
export const MIGRATIONS: readonly Sql[] = [join(TABLES.map(createTable), "\n")];
