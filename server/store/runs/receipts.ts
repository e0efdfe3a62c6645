/** Counts who received which schedules and when, from good runs. */
import { meaningOf } from "../../../lib/runs/status.ts";
import type { Database, Transaction } from "../database/database.ts";
import { ids, insert, perSystem, type Sql, sql, texts, when } from "../database/sql.ts";
import { addDecisions, closeDecisions } from "../people/recipient_decisions.ts";
import { updateTotals } from "../people/assign_people.ts";
import { readDictionary } from "../records/statuses.ts";
import { exists, readColumn } from "../records/transaction_step.ts";
import { lockRuns, markUncounted, retainedSince } from "./histories.ts";
import { MEMBERS } from "./lists.ts";

const HAS_ENDED = perSystem({
  sqlite: sql`json ->> 'endTime' <> ''`,
  postgresql: sql`json::json ->> 'endTime' <> ''`,
});

export function receiptsOn(database: Database) {
  const count = (scheduleId: number): Promise<void> =>
    database.transaction(async (transaction) => {
      await lockRuns(transaction);
      await countReceipts(transaction, scheduleId);
    });
  return {
    /** Schedules whose receipts have to be counted again. */
    uncounted: (max = Number.MAX_SAFE_INTEGER): Promise<readonly number[]> =>
      readColumn(
        database,
        sql`SELECT schedule_id FROM histories WHERE is_counted = 0
          ORDER BY schedule_id LIMIT ${max}`,
      ),
    count,
    /** Counts the receipts of a schedule if they have to be counted again. */
    async countIfMarked(scheduleId: number): Promise<void> {
      const marked = sql`histories WHERE schedule_id = ${scheduleId} AND is_counted = 0`;
      if (await exists(database, marked)) await count(scheduleId);
    },
  };
}

/**
 * Counts the receipts of a schedule from all its runs; or adds those of the runs that started `after`
 * a time, if the receipts of all others are counted. What is known of runs that were removed because of
 * their age stays: when the schedule first started, and when each person was first listed.
 */
export async function countReceipts(
  transaction: Transaction,
  scheduleId: number,
  after: number | null = null,
): Promise<void> {
  const { read, write } = transaction;
  const current = sql`schedule_id = ${scheduleId} AND gone_at IS NULL`;
  const counted = sql`${current} ${when(after !== null, sql`AND start > ${after}`)}`;
  const newest = sql`(SELECT start FROM runs WHERE ${current}
    ORDER BY start DESC NULLS LAST LIMIT 1)`;
  // The newest runs may still be going if they have neither a status nor an end.
  const found = await read<{ status: string; runs: number; first: number | null }>(
    sql`SELECT coalesce(status, '') AS status,
        count(CASE WHEN status <> '' OR start IS DISTINCT FROM ${newest} OR ${HAS_ENDED}
          THEN 1 END) AS runs,
        min(CASE WHEN list_id IS NOT NULL THEN start END) AS first
      FROM runs WHERE ${counted} GROUP BY coalesce(status, '')`,
  );
  const dictionary = await readDictionary(transaction);
  const isOfGood = ({ status }: { status: string }) => meaningOf(status, dictionary) === "good";
  const good = found.filter(isOfGood).map(({ status }) => status);
  const starts = found.filter(isOfGood).flatMap(({ first }) => first ?? []);
  const isGood = sql`${counted} AND start IS NOT NULL AND list_id IS NOT NULL
    AND coalesce(status, '') IN ${texts(good)}`;
  const former = await write<{ personId: number }>(
    after === null
      ? sql`UPDATE receipts SET runs = 0, receiving = 0 WHERE schedule_id = ${scheduleId}
          RETURNING person_id`
      : sql`UPDATE receipts SET receiving = 0 WHERE schedule_id = ${scheduleId} AND receiving = 1
          AND EXISTS (SELECT 1 FROM runs WHERE ${isGood}) RETURNING person_id`,
  );
  if (after === null) {
    await write(sql`DELETE FROM seen_statuses WHERE schedule_id = ${scheduleId}`);
  }
  const staysBefore = after === null
    ? await retainedSince(transaction) ?? Number.MIN_SAFE_INTEGER
    : Number.MAX_SAFE_INTEGER;
  const statuses = found.filter(({ runs }) => runs > 0)
    .map(({ status, runs }) => ({ scheduleId, status, runs }));
  if (statuses.length > 0) {
    await write(
      sql`${insert("seen_statuses", statuses)} ON CONFLICT (schedule_id, status)
        DO UPDATE SET runs = seen_statuses.runs + excluded.runs`,
    );
  }
  const firstStart = starts.length > 0 ? Math.min(...starts) : null;
  await write(
    sql`${insert("histories", [{ scheduleId, firstStart, isCounted: 1 }])} ON CONFLICT (schedule_id)
      DO UPDATE SET is_counted = 1, first_start = CASE WHEN histories.first_start < ${staysBefore}
        THEN histories.first_start ELSE excluded.first_start END`,
  );
  // In each list, a person counts once, in the first form; and is listed as in the latest list.
  const added = await write<{ personId: number }>(
    sql`WITH listing AS MATERIALIZED (SELECT list_id, min(start) AS first, max(start) AS last,
          count(*) AS runs FROM runs WHERE ${isGood} GROUP BY list_id),
      latest AS (SELECT list_id FROM runs
        WHERE ${isGood} AND start >= (SELECT max(last) FROM listing) ORDER BY run_id DESC LIMIT 1),
      listed AS (SELECT listing.*, person_id, form_id,
          row_number() OVER (PARTITION BY list_id, person_id ORDER BY place) AS turn
        FROM listing JOIN ${MEMBERS} ON members.id = list_id JOIN forms ON forms.id = form_id
        WHERE person_id IS NOT NULL),
      received AS (SELECT person_id, form_id, min(first) OVER person AS first,
          max(last) OVER person AS last, sum(runs) OVER person AS runs,
          max(CASE WHEN list_id IN (SELECT list_id FROM latest) THEN 1 ELSE 0 END) OVER person
            AS receiving,
          row_number() OVER (PARTITION BY person_id ORDER BY last DESC, list_id DESC) AS turn
        FROM listed WHERE turn = 1 WINDOW person AS (PARTITION BY person_id))
      INSERT INTO receipts (schedule_id, person_id, form_id, first, last, runs, receiving)
        SELECT CAST(${scheduleId} AS bigint), person_id, form_id, first, last, runs, receiving
        FROM received WHERE turn = 1
      ON CONFLICT (schedule_id, person_id) DO UPDATE SET form_id = excluded.form_id,
        first = CASE WHEN receipts.first < ${staysBefore} THEN receipts.first
          ELSE excluded.first END,
        last = excluded.last, runs = receipts.runs + excluded.runs, receiving = excluded.receiving
      RETURNING person_id`,
  );
  if (after === null) {
    await write(sql`DELETE FROM receipts WHERE schedule_id = ${scheduleId} AND runs = 0`);
  }
  const people = [...former.rows, ...added.rows].map(({ personId }) => personId);
  await updateTotals(transaction, people);
  await addDecisions(transaction, scheduleId);
  await closeDecisions(transaction, scheduleId, good, after === null);
}

/** Removes what is counted of schedules that nobody reads any more; their runs stay. */
export async function removeCounts(transaction: Transaction, among: Sql): Promise<void> {
  await transaction.write(sql`DELETE FROM seen_statuses WHERE ${among}`);
  await transaction.write(sql`UPDATE histories SET is_counted = 1 WHERE ${among}`);
  const { rows } = await transaction.write<{ personId: number }>(
    sql`DELETE FROM receipts WHERE ${among} RETURNING person_id`,
  );
  await updateTotals(transaction, rows.map(({ personId }) => personId));
}

/** Lets schedules be counted that are read again. */
export async function countKnownAgain(
  transaction: Transaction,
  scheduleIds: readonly number[],
): Promise<void> {
  await markUncounted(
    transaction,
    sql`SELECT schedule_id FROM histories WHERE schedule_id IN ${ids(scheduleIds)}
      EXCEPT SELECT schedule_id FROM seen_statuses`,
  );
}
