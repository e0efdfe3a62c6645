/** Removes old runs, and the recipients and people whom nothing refers to any more. */
import { setImmediate as turn } from "node:timers/promises";
import { newVersion } from "../data_version.ts";
import type { Engine } from "../engine.ts";
import { setNumber, sharedValuesOn } from "../observer/values.ts";
import { placeholders } from "../sql.ts";
import { uncount } from "./assign_people.ts";

const DAY = 86_400_000;
const ROWS_AT_ONCE = 200;
/** Names of stored values: since when runs are retained, and the last recipient at the last removal. */
const KEPT_SINCE = "runs kept since";
const LAST_RECIPIENT = "last recipient at the last removal";

export function retentionOn(engine: Engine) {
  const values = sharedValuesOn(engine);

  async function remove(table: string, unused: string, given: readonly number[]): Promise<void> {
    for (let after = 0;;) {
      const rows = await engine.rows(
        `SELECT id FROM ${table} WHERE id > ? AND ${unused} ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
        [after, ...given],
      );
      if (rows.length === 0) return;
      const ids = rows.map(([id]) => id as number);
      await engine.rows(
        `DELETE FROM ${table} WHERE id IN (${placeholders(ids)}) AND ${unused}`,
        [...ids, ...given],
      );
      after = ids.at(-1)!;
      await turn();
    }
  }

  return {
    /** Since when runs are retained, in milliseconds since 1970; undefined if none was ever removed. */
    keptSince: () => values.number(KEPT_SINCE),
    /** Removes runs that started before a time, and has their schedules recounted. */
    async removeRunsBefore(time: number, now: number): Promise<void> {
      await engine.transact([
        {
          text: uncount("SELECT DISTINCT source, schedule_id, 1 FROM receipts WHERE first < ?"),
          values: [time],
        },
        setNumber(KEPT_SINCE, time),
      ]);
      await engine.removeRunsBefore(time);
      await engine.transact([newVersion("runs")]);
      // Recipients that were just stored have no set yet.
      await remove(
        "recipient_sets",
        "used < ? AND NOT EXISTS (SELECT 1 FROM run_versions WHERE set_id = recipient_sets.id)",
        [now - DAY],
      );
      await engine.rows(
        "DELETE FROM recipient_set_members WHERE NOT EXISTS " +
          "(SELECT 1 FROM recipient_sets WHERE id = set_id)",
      );
      const last = await values.number(LAST_RECIPIENT) ?? 0;
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
