/** The tables of the records: what is watched, what came of it, owners, tokens and sessions. */
import { perSystem, sql } from "../database/sql.ts";
import type { Table } from "./tables.ts";

const RANDOM_ID = perSystem({
  sqlite: sql`lower(hex(randomblob(16)))`,
  postgresql: sql`gen_random_uuid()`,
});

export const RECORD_TABLES: readonly Table[] = [
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
CREATE INDEX incidents_by_schedule ON incidents (schedule_id);
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
