/** Reasons with members of their own, instead of evidence of any form. */
import type { Dialect } from "./dialect.ts";

/** Verdicts are judged again at once, so only the reasons of incidents are kept. */
export function typedReasons(
  { json: { column, object, array, merge } }: Pick<Dialect, "json">,
): string {
  const reason = column("reason");
  const evidence = `(${reason} -> 'evidence')`;
  const members = (...names: readonly string[]) =>
    names.map((name) => `'${name}', ${evidence} -> '${name}'`).join(", ");
  const list = (name: string) => `${array}(${evidence} -> '${name}')`;
  const common = ["code", "severity", "since", "runs"]
    .map((name) => `'${name}', ${reason} -> '${name}'`).join(", ");
  const typed = `CASE
    WHEN code IN ('overdue', 'missed')
      THEN ${object}('due', ${reason} -> 'since', 'everyMs', 0, 'confirmed', 1 = 1)
    WHEN code = 'outside-recipient' THEN ${object}('domain', ${evidence} -> 'domains')
    WHEN code = 'leaver-recipient' THEN ${object}('userIds', ${array}())
    WHEN code = 'unknown-status' THEN ${object}('statuses', ${list("status")}, 'of',
      ${object}(${members("scheduleId", "name", "schedules")}))
    WHEN code = 'channel-failing'
      THEN ${object}('channels', ${list("channels")}, 'names', ${list("names")})
    WHEN code = 'clock' THEN ${object}('offsetMs',
      1000 * CAST(coalesce(${evidence} ->> 'serviceIsAheadBySeconds', '0') AS integer))
    WHEN code = 'empty-delivery' AND ${evidence} ->> 'field' IS NOT NULL
      THEN ${object}('gone', ${array}(), 'almost', ${object}(${
    members("field", "before", "after")
  }))
    WHEN code = 'empty-delivery'
      THEN ${object}('gone', ${array}(coalesce(${evidence} ->> 'gone', '')))
    ELSE ${object}()
  END`;
  const base = merge(`${object}(${common}, 'subject', '')`, evidence);
  return `
UPDATE incidents SET reason = ${merge(base, typed)};
UPDATE verdicts SET details = ${
    merge(column("details"), `${object}('reasons', ${array}())`)
  }, holds_until = 0;
UPDATE known_schedules SET due = 0`;
}

/** Incidents by subject, with what was said of each and when to say more. */
export function incidentSubjects(
  { integer, json: { column } }: Pick<Dialect, "integer" | "json">,
): string {
  const reason = column("reason");
  const columns = {
    family: "TEXT NOT NULL DEFAULT ''",
    subject: "TEXT NOT NULL DEFAULT ''",
    since: integer,
    ending: "TEXT",
    notify_at: integer,
    said: "TEXT NOT NULL DEFAULT 'nothing'",
  };
  return `
DROP INDEX incidents_open;
${
    Object.entries(columns)
      .map(([name, type]) => `ALTER TABLE incidents ADD COLUMN ${name} ${type}`).join(";\n")
  };
UPDATE incidents SET
  family = CASE WHEN code IN ('overdue', 'missed') THEN 'gap' ELSE code END,
  subject = CASE
    WHEN code IN ('overdue', 'missed') THEN code || ' ' || coalesce(${reason} ->> 'since', '')
    WHEN code = 'outside-recipient' THEN coalesce(${reason} ->> 'domain', '')
    WHEN code = 'size-jump' THEN coalesce(${reason} ->> 'after', '')
    WHEN code = 'stuck' THEN coalesce(${reason} -> 'runs' ->> 0, '')
    ELSE ''
  END,
  since = CAST(${reason} ->> 'since' AS ${integer}),
  said = CASE
    WHEN notified IS NULL THEN 'nothing'
    WHEN resolved IS NULL AND code <> 'missed' THEN 'open'
    ELSE 'over'
  END,
  notify_at = CASE WHEN resolved IS NULL AND notified IS NULL THEN opened END,
  reason_ended = CASE WHEN resolved_by IS NULL THEN resolved END;
ALTER TABLE incidents DROP COLUMN seen;
ALTER TABLE incidents DROP COLUMN flaps;
CREATE UNIQUE INDEX incidents_open ON incidents (coalesce(schedule_id, -1), family, subject)
  WHERE resolved IS NULL;
CREATE INDEX incidents_due ON incidents (notify_at) WHERE notify_at IS NOT NULL`;
}
