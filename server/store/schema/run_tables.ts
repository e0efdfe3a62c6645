/** The tables of runs and people: every run that was read, and who received it. */
import type { Dialect } from "./dialect.ts";

export function runTables({ system, integer, text, key, options, clustered }: Dialect): string {
  // SQLite sorts them so anyway, and has no words for it in an index.
  const nullsLast = system === "sqlite" ? "" : " NULLS LAST";
  return `
-- The newest answer for each run, without its recipients. What the service no longer has is gone.
CREATE TABLE runs (
  schedule_id ${integer} NOT NULL,
  run_id ${integer} NOT NULL,
  start ${integer},
  status ${text},
  list_id ${integer},
  json ${text} NOT NULL,
  read_at ${integer} NOT NULL,
  changed_at ${integer} NOT NULL,
  gone_at ${integer},
  PRIMARY KEY (schedule_id, run_id)
)${clustered};
CREATE INDEX runs_by_start ON runs (schedule_id, start DESC${nullsLast}, run_id);
CREATE INDEX runs_by_list ON runs (list_id);

-- A list of recipients: the ids of their forms as JSON, in the order of the runs that have it.
CREATE TABLE lists (id ${key}, digest ${text} NOT NULL UNIQUE, members ${text} NOT NULL)${options};

-- A recipient exactly as listed. A person may be listed in several forms. The user id is one that
-- identifies somebody; the address is in lower case.
CREATE TABLE forms (
  id ${key},
  person_id ${integer},
  user_id ${integer},
  address ${text},
  digest ${text} NOT NULL UNIQUE,
  json ${text} NOT NULL
)${options};
CREATE INDEX forms_by_person ON forms (person_id);
CREATE INDEX forms_by_user ON forms (user_id);
CREATE INDEX forms_by_address ON forms (address);

-- User ids that one run listed with several addresses, so that they identify nobody.
CREATE TABLE shared_user_ids (user_id ${integer} PRIMARY KEY)${options};

-- A person: the key is "u" and the user id, or "a" and the address in lower case, or "f" and the id
-- of a forgotten one. The form is that of the latest run.
CREATE TABLE people (
  id ${key},
  key ${text} NOT NULL UNIQUE,
  user_id ${integer},
  form_id ${integer},
  domain ${text},
  folded ${text} NOT NULL DEFAULT '',
  first ${integer},
  last ${integer},
  added ${integer},
  schedules ${integer} NOT NULL DEFAULT 0,
  receiving ${integer} NOT NULL DEFAULT 0,
  left_at ${integer}
)${options};
CREATE INDEX people_by_domain ON people (domain, receiving, first) WHERE last IS NOT NULL;
CREATE INDEX people_by_schedules ON people (schedules DESC, id) WHERE last IS NOT NULL;
CREATE INDEX people_by_added ON people (added) WHERE added IS NOT NULL;
CREATE INDEX people_by_left ON people (left_at) WHERE left_at IS NOT NULL;

-- Who received which schedule, from its good runs.
CREATE TABLE receipts (
  schedule_id ${integer} NOT NULL,
  person_id ${integer} NOT NULL,
  form_id ${integer} NOT NULL,
  first ${integer} NOT NULL,
  last ${integer} NOT NULL,
  runs ${integer} NOT NULL,
  receiving ${integer} NOT NULL,
  PRIMARY KEY (schedule_id, person_id)
)${clustered};
CREATE INDEX receipts_by_person ON receipts (person_id, schedule_id);

-- The schedules that have runs: when the first good one started, and whether receipts are counted.
CREATE TABLE histories (
  schedule_id ${integer} PRIMARY KEY,
  first_start ${integer},
  is_counted ${integer} NOT NULL
)${options};
CREATE INDEX histories_uncounted ON histories (schedule_id) WHERE is_counted = 0;

-- How many runs of each schedule have each status; empty for none.
CREATE TABLE seen_statuses (
  schedule_id ${integer} NOT NULL,
  status ${text} NOT NULL,
  runs ${integer} NOT NULL,
  PRIMARY KEY (schedule_id, status)
)${clustered};

-- People who left, at the end of their last day.
CREATE TABLE leavers (
  id ${key},
  user_id ${integer} UNIQUE,
  address ${text} UNIQUE,
  left_at ${integer} NOT NULL,
  added_at ${integer} NOT NULL
)${options};

-- Decisions on a person or a domain, for one schedule or for all.
CREATE TABLE recipient_decisions (
  id ${key},
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
CREATE INDEX recipient_decisions_by_schedule ON recipient_decisions (schedule_id);

-- Digests of the user ids and addresses of forgotten people, and the key that they were made with.
CREATE TABLE forgotten (
  digest ${text} PRIMARY KEY,
  key_id ${text} NOT NULL,
  person_id ${integer} NOT NULL
)${options};
`;
}
