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
  // `subject` needs no value: an incident of its family that began at the same time is the same.
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
