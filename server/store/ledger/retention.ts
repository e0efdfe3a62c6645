/** Removes old runs, and recipients and people that nothing refers to any more. */
import { setImmediate as turn } from "node:timers/promises";
import { DAY } from "../../../lib/time_units.ts";
import { newVersion } from "../data_version.ts";
import type { Engine } from "../engine.ts";
import { setNumber, sharedValuesOn } from "../records/values.ts";
import { placeholders } from "../sql.ts";
import { markUncounted } from "./assign_people.ts";

const ROWS_PER_STATEMENT = 200;
const RETAINED_SINCE = "runs retained since";
const LAST_RECIPIENT = "last recipient at the last removal";

export function retentionOn(engine: Engine) {
  const stored = sharedValuesOn(engine);

  async function remove(table: string, unused: string, values: readonly number[]): Promise<void> {
    for (let after = 0;;) {
      const rows = await engine.rows(
        `SELECT id FROM ${table} WHERE id > ? AND ${unused} ORDER BY id LIMIT ${ROWS_PER_STATEMENT}`,
        [after, ...values],
      );
      if (rows.length === 0) return;
      const ids = rows.map(([id]) => id as number);
      await engine.rows(
        `DELETE FROM ${table} WHERE id IN (${placeholders(ids)}) AND ${unused}`,
        [...ids, ...values],
      );
      after = ids.at(-1)!;
      await turn();
    }
  }

  return {
    /** Since when runs are retained, in milliseconds since 1970; undefined if none was ever removed. */
    retainedSince: () => stored.number(RETAINED_SINCE),
    /** Removes runs that started before a time, and marks their schedules for counting. */
    async removeRunsBefore(time: number, now: number): Promise<void> {
      await engine.transact([
        {
          text: markUncounted(
            "SELECT DISTINCT source, schedule_id, 1 FROM receipts WHERE first < ?",
          ),
          values: [time],
        },
        setNumber(RETAINED_SINCE, time),
      ]);
      await engine.removeRunsBefore(time);
      await engine.transact([newVersion("runs")]);
      // A set that was just stored has no run yet.
      await remove(
        "recipient_sets",
        "used_at < ? AND NOT EXISTS (SELECT 1 FROM run_versions WHERE set_id = recipient_sets.id)",
        [now - DAY],
      );
      await engine.rows(
        "DELETE FROM recipient_set_members WHERE NOT EXISTS " +
          "(SELECT 1 FROM recipient_sets WHERE id = set_id)",
      );
      const last = await stored.number(LAST_RECIPIENT) ?? 0;
      await remove(
        "recipients",
        "id <= ? AND NOT EXISTS (SELECT 1 FROM recipient_set_members WHERE recipient_id = " +
          "recipients.id) AND NOT EXISTS (SELECT 1 FROM receipts WHERE recipient_id = recipients.id)",
        [last],
      );
      await remove(
        "people",
        "is_forgotten = 0 AND NOT EXISTS (SELECT 1 FROM recipients WHERE person_id = people.id)",
        [],
      );
      const [[newest]] = await engine.rows("SELECT coalesce(max(id), 0) FROM recipients");
      await engine.transact([setNumber(LAST_RECIPIENT, newest as number)]);
    },
  };
}
