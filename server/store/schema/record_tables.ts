/** The tables of the records: what is watched, what came of it, owners, tokens and sessions. */
import type { Dialect } from "./dialect.ts";

export function recordTables({ integer, text, key, options }: Dialect): string {
  return `
-- Schedules that are not watched are read once a day and have no incidents.
CREATE TABLE known_schedules (
  schedule_id ${integer} PRIMARY KEY,
  watched ${integer} NOT NULL,
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  owner_id ${integer},
  note TEXT NOT NULL,
  plan TEXT,
  pauses TEXT NOT NULL,
  false_incidents TEXT NOT NULL,
  muted_until ${integer},
  created ${integer} NOT NULL,
  due ${integer} NOT NULL,
  lease TEXT,
  lease_until ${integer},
  polled ${integer},
  failures ${integer} NOT NULL,
  failing_since ${integer},
  failure TEXT,
  lacked TEXT,
  lacked_since ${integer},
  history_read ${integer} DEFAULT 0
)${options};
CREATE INDEX known_schedules_by_due ON known_schedules (watched DESC, due);
CREATE INDEX known_schedules_by_lease ON known_schedules (lease_until)
  WHERE lease_until IS NOT NULL;
CREATE VIEW watches AS SELECT * FROM known_schedules WHERE watched = 1;

-- Searches for schedules that request each id of a range.
CREATE TABLE id_searches (
  first_id ${integer} NOT NULL,
  last_id ${integer} NOT NULL,
  next_id ${integer} NOT NULL,
  rate ${integer} NOT NULL,
  ms_per_id ${integer},
  started ${integer} NOT NULL,
  ended ${integer},
  stopped TEXT,
  paused_until ${integer} NOT NULL DEFAULT 0,
  answers_empty ${integer},
  failed ${integer} NOT NULL DEFAULT 0,
  answers TEXT,
  PRIMARY KEY (first_id, last_id)
)${options};

-- The service's answer when an id was requested.
CREATE TABLE id_answers (
  schedule_id ${integer} PRIMARY KEY,
  requested ${integer} NOT NULL,
  answer TEXT NOT NULL
)${options};

CREATE TABLE verdicts (
  schedule_id ${integer} PRIMARY KEY,
  judged ${integer} NOT NULL,
  holds_until ${integer} NOT NULL,
  state TEXT NOT NULL,
  headline TEXT NOT NULL,
  plan_source TEXT,
  last_success ${integer},
  next_due ${integer},
  overdue ${integer} NOT NULL,
  failing ${integer} NOT NULL,
  strip TEXT NOT NULL,
  day TEXT NOT NULL,
  people ${integer},
  reached TEXT NOT NULL,
  details TEXT NOT NULL
)${options};

CREATE TABLE incidents (
  id TEXT PRIMARY KEY,
  version ${integer} NOT NULL,
  schedule_id ${integer},
  code TEXT NOT NULL,
  severity TEXT NOT NULL,
  reason TEXT NOT NULL,
  opened ${integer} NOT NULL,
  notified ${integer},
  acknowledged ${integer},
  acknowledged_by TEXT,
  muted_until ${integer},
  resolved ${integer},
  resolved_by TEXT,
  reason_ended ${integer},
  family TEXT NOT NULL,
  subject TEXT NOT NULL,
  since ${integer},
  ending TEXT,
  notify_at ${integer},
  said TEXT NOT NULL
)${options};
CREATE UNIQUE INDEX incidents_open ON incidents (coalesce(schedule_id, -1), family, subject)
  WHERE resolved IS NULL;
CREATE INDEX incidents_due ON incidents (notify_at) WHERE notify_at IS NOT NULL;
CREATE INDEX incidents_by_end ON incidents (schedule_id, resolved DESC, id);
CREATE INDEX incidents_by_rank ON incidents
  ((CASE WHEN resolved IS NULL THEN 0 ELSE 1 END), opened DESC, id);

-- What happened to incidents; and, with a schedule, what people did with it. Stays when a watch ends.
CREATE TABLE events (
  key ${key},
  schedule_id ${integer},
  incident_id TEXT,
  at ${integer} NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT,
  note TEXT
)${options};
CREATE INDEX events_by_incident ON events (incident_id, key) WHERE incident_id IS NOT NULL;
CREATE INDEX events_by_schedule ON events (schedule_id, key) WHERE schedule_id IS NOT NULL;

-- The outbox.
CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  outlet TEXT NOT NULL,
  incident_id TEXT,
  event TEXT NOT NULL,
  created ${integer} NOT NULL,
  held_until ${integer},
  merged_into TEXT,
  due ${integer},
  attempts ${integer} NOT NULL,
  lease TEXT,
  lease_until ${integer},
  sent ${integer},
  given_up ${integer},
  error TEXT
)${options};
CREATE INDEX messages_by_merge ON messages (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX messages_by_due ON messages (due) WHERE due IS NOT NULL;
CREATE INDEX messages_by_outlet ON messages (outlet, sent) WHERE sent IS NOT NULL;
CREATE INDEX messages_unsent ON messages (created DESC, id)
  WHERE due IS NOT NULL OR sent IS NULL;
CREATE INDEX messages_by_created ON messages (created DESC, id);
CREATE INDEX messages_by_incident ON messages (incident_id, created DESC, id)
  WHERE incident_id IS NOT NULL;

-- People or teams who look after schedules. The key is the name without differences of case.
CREATE TABLE owners (
  key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  quiet TEXT,
  changed ${integer} NOT NULL,
  actor TEXT NOT NULL
)${options};

-- How owners are notified. A channel with a new secret is a new channel.
CREATE TABLE channels (
  id TEXT PRIMARY KEY,
  owner_key TEXT NOT NULL,
  kind TEXT NOT NULL,
  hint TEXT NOT NULL,
  sealed TEXT NOT NULL,
  created ${integer} NOT NULL
)${options};
CREATE UNIQUE INDEX channels_by_owner ON channels (owner_key, kind);

-- Days without runs, for some schedules or, if their ids are null, for all.
CREATE TABLE calendars (
  key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  days TEXT NOT NULL,
  schedule_ids TEXT,
  changed ${integer} NOT NULL,
  actor TEXT NOT NULL
)${options};

-- What the service's statuses mean, in one row: said by the setting STATUSES, and by people.
CREATE TABLE status_meanings (setting TEXT NOT NULL, said TEXT NOT NULL)${options};
INSERT INTO status_meanings VALUES ('{}', '{}');

-- When each duty is due that one instance does for all.
CREATE TABLE duties (name TEXT PRIMARY KEY, due ${integer} NOT NULL)${options};

-- Since when a condition has held at every check.
CREATE TABLE checks (
  name TEXT PRIMARY KEY,
  checked ${integer} NOT NULL,
  since ${integer}
)${options};

-- How often something was done, by outcome and outlet.
CREATE TABLE counters (
  counted TEXT NOT NULL,
  outlet TEXT NOT NULL,
  outcome TEXT NOT NULL,
  count ${integer} NOT NULL,
  PRIMARY KEY (counted, outlet, outcome)
)${options};

-- The outlets in the settings of any process. Several may have one with different receivers.
CREATE TABLE outlets (
  name TEXT NOT NULL,
  receiver TEXT NOT NULL,
  collect_ms ${integer} NOT NULL,
  takes_critical ${integer} NOT NULL,
  seen ${integer} NOT NULL,
  PRIMARY KEY (name, receiver)
)${options};

-- Facts about the service and the records, in one row.
CREATE TABLE service (
  identity TEXT,
  origin TEXT,
  clock_offsets TEXT,
  paused_until ${integer},
  evidence_key TEXT,
  secret_digests TEXT,
  outlets_checked ${integer},
  routes_changed ${integer} NOT NULL,
  routes_queued ${integer} NOT NULL
)${options};
INSERT INTO service (routes_changed, routes_queued) VALUES (0, 0);

CREATE TABLE tokens (
  name ${text} PRIMARY KEY,
  hash ${text} NOT NULL UNIQUE,
  created ${integer} NOT NULL,
  last_used ${integer},
  revoked ${integer},
  role ${text} NOT NULL DEFAULT 'reader'
)${options};

-- Forms that were sent lately: a digest of key and entries, and the redirect, once there is one.
CREATE TABLE sent_forms (
  digest ${text} PRIMARY KEY,
  at ${integer} NOT NULL,
  answer TEXT
)${options};

CREATE TABLE ended_sessions (
  name ${text} PRIMARY KEY,
  before ${integer} NOT NULL,
  expires ${integer} NOT NULL
)${options};
`;
}
