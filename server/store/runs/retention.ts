/** Removes old runs, and lists, recipients and people that nothing refers to any more. */
import type { Database } from "../database/database.ts";
import { sql, upsert } from "../database/sql.ts";
import { readDictionary } from "../records/statuses.ts";
import { exists, readColumn } from "../records/transaction_step.ts";
import { lockRuns, markUncounted, RETAINED_SINCE, retainedSince } from "./histories.ts";
import { MEMBERS } from "./lists.ts";
import { countReceipts } from "./receipts.ts";

/** Removing this many runs takes a few milliseconds. */
const BATCH = 500;

export function retentionOn(database: Database) {
  /** Removes some runs of a schedule; returns whether there may be more. */
  const removeSome = (scheduleId: number, time: number): Promise<boolean> =>
    database.transaction(async (transaction) => {
      await lockRuns(transaction);
      const { changed } = await transaction.write(
        sql`DELETE FROM runs WHERE schedule_id = ${scheduleId} AND run_id IN
          (SELECT run_id FROM runs WHERE schedule_id = ${scheduleId} AND start < ${time}
            AND start IS DISTINCT FROM (SELECT max(start) FROM runs
              WHERE schedule_id = ${scheduleId} AND gone_at IS NULL) LIMIT ${BATCH})`,
      );
      // Nobody knows the schedule any more if nothing is counted of it.
      if (await exists(transaction, sql`seen_statuses WHERE schedule_id = ${scheduleId}`)) {
        if (changed === BATCH) await markUncounted(transaction, sql`SELECT ${scheduleId}`);
        else await countReceipts(transaction, scheduleId, await readDictionary(transaction));
      }
      return changed === BATCH;
    });

  const removeUnused = (): Promise<void> =>
    database.transaction(async (transaction) => {
      await lockRuns(transaction);
      await transaction.write(
        sql`DELETE FROM lists WHERE NOT EXISTS (SELECT 1 FROM runs WHERE list_id = lists.id)`,
      );
      await transaction.write(
        sql`DELETE FROM forms WHERE id IN (SELECT id FROM forms
          EXCEPT SELECT form_id FROM receipts EXCEPT SELECT form_id FROM ${MEMBERS})`,
      );
      await transaction.write(
        sql`DELETE FROM people WHERE key NOT LIKE ${"f%"}
          AND NOT EXISTS (SELECT 1 FROM forms WHERE person_id = people.id)`,
      );
    });

  return {
    retainedSince: () => retainedSince(database),
    /** Removes runs that started before a time, but each schedule's newest: it did run. */
    async removeRunsBefore(time: number): Promise<void> {
      await database.write(
        upsert("metadata", [{ name: RETAINED_SINCE, value: String(time) }], ["name"]),
      );
      const scheduleIds = await readColumn<number>(
        database,
        sql`SELECT schedule_id FROM histories WHERE EXISTS (SELECT 1 FROM runs
          WHERE runs.schedule_id = histories.schedule_id AND start < ${time})`,
      );
      for (const scheduleId of scheduleIds) {
        while (await removeSome(scheduleId, time));
      }
      if (scheduleIds.length > 0) await removeUnused();
    },
  };
}
