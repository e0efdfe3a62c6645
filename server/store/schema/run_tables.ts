/** The tables of runs and people: every run that was read, and who received it. */
import type { Dialect } from "./dialect.ts";

export function runTables(
  { system, integer, text, key, options, clustered }: Dialect,
): string {
  const isPartitioned = system === "postgresql";
  return `
-- A person, identified by the user id or else by the address in lower case.
CREATE TABLE people (
  id ${key},
  source ${integer} NOT NULL,
  user_id ${integer},
  key_address ${text},
  domain ${text},
  recipient_id ${integer},
  first ${integer},
  last ${integer},
  added ${integer},
  schedules ${integer} NOT NULL DEFAULT 0,
  receiving ${integer} NOT NULL DEFAULT 0,
  left_at ${integer},
  is_forgotten ${integer} NOT NULL DEFAULT 0
)${options};
CREATE UNIQUE INDEX people_by_user ON people (source, user_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX people_by_address ON people (source, key_address) WHERE key_address IS NOT NULL;
CREATE INDEX people_by_domain ON people (source, domain, receiving, first) WHERE last IS NOT NULL;
CREATE INDEX people_by_schedules ON people (source, schedules DESC, id) WHERE last IS NOT NULL;
CREATE INDEX people_by_added ON people (source, added) WHERE added IS NOT NULL;
CREATE INDEX people_by_left ON people (source, left_at) WHERE left_at IS NOT NULL;

-- A recipient as listed in runs. A person may be listed in several forms.
CREATE TABLE recipients (
  id ${key},
  source ${integer} NOT NULL,
  person_id ${integer},
  user_id ${integer},
  address ${text},
  domain ${text},
  folded ${text} NOT NULL,
  digest ${text} NOT NULL UNIQUE,
  json ${text} NOT NULL
)${options};
CREATE INDEX recipients_by_person ON recipients (person_id);
CREATE INDEX recipients_by_user ON recipients (source, user_id);
CREATE INDEX recipients_by_address ON recipients (source, address);

CREATE TABLE recipient_sets (
  id ${key},
  digest ${text} NOT NULL UNIQUE,
  size ${integer} NOT NULL,
  used_at ${integer} NOT NULL
)${options};

CREATE TABLE recipient_set_members (
  set_id ${integer} NOT NULL,
  position ${integer} NOT NULL,
  recipient_id ${integer} NOT NULL,
  PRIMARY KEY (set_id, position)
)${clustered};
CREATE INDEX recipient_set_members_by_recipient ON recipient_set_members (recipient_id, set_id);

-- The JSON of a run without the values that vary from run to run.
CREATE TABLE run_templates (
  id ${key},
  digest ${text} NOT NULL UNIQUE,
  template ${text} NOT NULL
)${options};

-- A version of a run: when it was read, and until when the service returned it. The last version of
-- each run is not replaced.
CREATE TABLE run_versions (
  source ${integer} NOT NULL,
  schedule_id ${integer} NOT NULL,
  id ${integer} NOT NULL,
  start_time ${integer} NOT NULL,
  status ${text},
  template_id ${integer} NOT NULL,
  set_id ${integer},
  run_values ${text} NOT NULL,
  read_at ${integer} NOT NULL,
  until ${integer},
  replaced ${integer} NOT NULL DEFAULT 0
)${isPartitioned ? " PARTITION BY RANGE (start_time)" : options};
CREATE INDEX run_versions_by_start ON run_versions (source, schedule_id, start_time DESC, id);
CREATE INDEX run_versions_by_run ON run_versions (source, schedule_id, id);
CREATE INDEX run_versions_by_set ON run_versions (set_id);

-- Who received which schedule: counted from the last versions of good runs.
CREATE TABLE receipts (
  source ${integer} NOT NULL,
  schedule_id ${integer} NOT NULL,
  person_id ${integer} NOT NULL,
  recipient_id ${integer} NOT NULL,
  first ${integer} NOT NULL,
  last ${integer} NOT NULL,
  runs ${integer} NOT NULL,
  receiving ${integer} NOT NULL,
  from_start ${integer} NOT NULL,
  PRIMARY KEY (source, schedule_id, person_id)
)${clustered};
CREATE INDEX receipts_by_person ON receipts (person_id, schedule_id);

-- Schedules whose receipts have to be counted again.
CREATE TABLE uncounted_schedules (
  source ${integer} NOT NULL,
  schedule_id ${integer} NOT NULL,
  changes ${integer} NOT NULL,
  PRIMARY KEY (source, schedule_id)
)${clustered};

-- People who left, at the end of their last day.
CREATE TABLE leavers (
  id ${key},
  user_id ${integer},
  address ${text},
  left_at ${integer} NOT NULL,
  added_at ${integer} NOT NULL
)${options};
CREATE UNIQUE INDEX leavers_by_user ON leavers (user_id);
CREATE UNIQUE INDEX leavers_by_address ON leavers (address);

-- Decisions on a person or a domain, for one schedule or for all.
CREATE TABLE recipient_decisions (
  id ${key},
  source ${integer} NOT NULL,
  person_id ${integer},
  domain ${text},
  schedule_id ${integer},
  expected ${integer} NOT NULL,
  why ${text} NOT NULL,
  actor ${text} NOT NULL,
  at ${integer} NOT NULL,
  until ${integer},
  ended ${integer},
  ended_by ${text},
  closed ${integer},
  closed_run ${integer}
)${options};
CREATE INDEX recipient_decisions_by_person ON recipient_decisions (person_id);
CREATE INDEX recipient_decisions_by_schedule ON recipient_decisions (source, schedule_id);

-- Keyed digests of the user ids and addresses of forgotten people.
CREATE TABLE forgotten (digest ${text} PRIMARY KEY, person_id ${integer} NOT NULL)${options};

-- User ids that one run listed with several addresses, so that they identify nobody.
CREATE TABLE shared_user_ids (
  source ${integer} NOT NULL,
  user_id ${integer} NOT NULL,
  PRIMARY KEY (source, user_id)
)${clustered};

-- How many runs of each schedule have each status; empty for none.
CREATE TABLE seen_statuses (
  source ${integer} NOT NULL,
  schedule_id ${integer} NOT NULL,
  status ${text} NOT NULL,
  runs ${integer} NOT NULL,
  PRIMARY KEY (source, schedule_id, status)
)${clustered};
${isPartitioned ? OTHER_MONTHS : ""}`;
}

/** For runs without a plausible start. */
const OTHER_MONTHS = `
CREATE TABLE run_versions_other PARTITION OF run_versions DEFAULT;
`;
