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
  statuses TEXT,
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
  failure TEXT
)${options};
CREATE INDEX known_schedules_by_due ON known_schedules (watched, due);
CREATE INDEX known_schedules_by_lease ON known_schedules (lease_until)
  WHERE lease_until IS NOT NULL;
CREATE VIEW watches AS SELECT * FROM known_schedules WHERE watched = 1;

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

CREATE TABLE incident_events (
  key ${key},
  incident_id TEXT NOT NULL,
  at ${integer} NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT,
  note TEXT
)${options};
CREATE INDEX incident_events_by_incident ON incident_events (incident_id, key);

-- What people did with watches. Stays when a watch ends.
CREATE TABLE watch_events (
  key ${key},
  schedule_id ${integer} NOT NULL,
  incident_id TEXT,
  at ${integer} NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  note TEXT
)${options};
CREATE INDEX watch_events_by_schedule ON watch_events (schedule_id, key);

CREATE TABLE deliveries (
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
CREATE INDEX deliveries_by_merge ON deliveries (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX deliveries_by_due ON deliveries (due) WHERE due IS NOT NULL;
CREATE INDEX deliveries_by_outlet ON deliveries (outlet, sent) WHERE sent IS NOT NULL;
CREATE INDEX deliveries_unsent ON deliveries (created DESC, id)
  WHERE due IS NOT NULL OR sent IS NULL;
CREATE INDEX deliveries_by_created ON deliveries (created DESC, id);
CREATE INDEX deliveries_by_incident ON deliveries (incident_id, created DESC, id)
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

-- Duties that one instance does for all, counters, and facts about the service.
CREATE TABLE observer_values (
  name ${text} PRIMARY KEY,
  number ${integer} NOT NULL,
  text TEXT NOT NULL
)${options};

CREATE TABLE tokens (
  name ${text} PRIMARY KEY,
  hash ${text} NOT NULL UNIQUE,
  created ${integer} NOT NULL,
  last_used ${integer},
  revoked ${integer},
  role ${text} NOT NULL DEFAULT 'reader'
)${options};

CREATE TABLE ended_sessions (
  name ${text} PRIMARY KEY,
  before ${integer} NOT NULL,
  expires ${integer} NOT NULL
)${options};
`;
}
