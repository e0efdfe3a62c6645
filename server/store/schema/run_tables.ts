/** The tables of runs and people: every run that was read, and who received it. */
import { perSystem, sql } from "../database/sql.ts";
import type { Table } from "./tables.ts";

/** SQLite sorts them so anyway, and has no words for it in an index. */
const NULLS_LAST = perSystem({ sqlite: sql``, postgresql: sql`NULLS LAST` });

export const RUN_TABLES: readonly Table[] = [
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
  // In one row, a new version for each change of runs.
  {
    name: "runs_version",
    texts: "version",
    afterwards: sql`INSERT INTO runs_version VALUES ('');`,
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
];
