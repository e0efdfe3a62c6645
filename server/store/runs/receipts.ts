/** Counts who received which schedules and when, from good runs. */
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import type { Database, Transaction } from "../database/database.ts";
import { ids, insert, sql, upsert } from "../database/sql.ts";
import { closeDecisions } from "../people/recipient_decisions.ts";
import { updateTotals } from "../people/totals.ts";
import { readDictionary } from "../records/statuses.ts";
import { lockRuns } from "./histories.ts";
import { readMembers } from "./lists.ts";

/** What receipts are counted from: a run as it is stored. */
export interface CountedRun {
  readonly runId: number;
  readonly start: number | null;
  readonly status: string | null;
  readonly listId: number | null;
}

/** Runs with the same list. */
interface ListedRuns {
  readonly listId: number;
  readonly first: number;
  readonly last: number;
  readonly runs: number;
}

interface RunGroup {
  readonly listId: number | null;
  readonly status: string | null;
  readonly first: number | null;
  readonly last: number | null;
  /** How many have a start, and how many there are. */
  readonly runs: number;
  readonly allRuns: number;
}

type Receipt = Omit<ListedRuns, "listId"> & {
  readonly scheduleId: number;
  readonly personId: number;
  readonly formId: number;
  /** 1 if the newest good run lists the person, otherwise 0. */
  readonly receiving: 0 | 1;
};

export function receiptsOn(database: Database) {
  return {
    /** Schedules whose receipts have to be counted again. */
    async uncounted(max = Number.MAX_SAFE_INTEGER): Promise<readonly number[]> {
      const rows = await database.read<{ scheduleId: number }>(
        sql`SELECT schedule_id FROM histories WHERE is_counted = 0
          ORDER BY schedule_id LIMIT ${max}`,
      );
      return rows.map(({ scheduleId }) => scheduleId);
    },
    count: (scheduleId: number): Promise<void> =>
      database.transaction(async (transaction) => {
        await lockRuns(transaction);
        await countReceipts(transaction, scheduleId, await readDictionary(transaction));
      }),
  };
}

/** Counts the receipts of a schedule from all its runs. */
export async function countReceipts(
  transaction: Transaction,
  scheduleId: number,
  dictionary: StatusDictionary,
): Promise<void> {
  const current = sql`FROM runs WHERE schedule_id = ${scheduleId} AND gone_at IS NULL`;
  const groups = await transaction.read<RunGroup>(
    sql`SELECT list_id, status, min(start) AS first, max(start) AS last, count(start) AS runs,
      count(*) AS all_runs ${current} GROUP BY list_id, status`,
  );
  const good = groups.filter((group): group is RunGroup & ListedRuns =>
    group.listId !== null && group.last !== null && meaningOf(group.status, dictionary) === "good"
  );
  const last = Math.max(...good.map((group) => group.last));
  const newest = good.length === 0 ? [] : await transaction.read<CountedRun>(
    sql`SELECT list_id, status ${current} AND start = ${last} AND list_id IS NOT NULL
      ORDER BY run_id DESC`,
  );
  const latest = newest.find(({ status }) => meaningOf(status, dictionary) === "good")?.listId;
  const removed = await transaction.write<{ personId: number }>(
    sql`DELETE FROM receipts WHERE schedule_id = ${scheduleId} RETURNING person_id`,
  );
  const receipts = await toReceipts(transaction, scheduleId, good, latest ?? null);
  if (receipts.length > 0) await transaction.write(insert("receipts", receipts));
  await countStatuses(transaction, scheduleId, groups);
  const firstStart = good.length === 0 ? null : Math.min(...good.map(({ first }) => first));
  await transaction.write(
    upsert("histories", [{ scheduleId, firstStart, isCounted: 1 }], ["schedule_id"]),
  );
  const people = [...removed.rows, ...receipts].map(({ personId }) => personId);
  await updateTotals(transaction, people);
  await closeDecisions(transaction, scheduleId, dictionary);
}

/**
 * Adds runs to the receipts of their schedule. All are new, have a status, and started after all runs
 * that are stored; and the receipts are counted.
 */
export async function addReceipts(
  transaction: Transaction,
  scheduleId: number,
  runs: readonly CountedRun[],
  dictionary: StatusDictionary,
): Promise<void> {
  const byStatus = Map.groupBy(runs, ({ status }) => status!);
  const statuses = [...byStatus].map(([status, { length }]) => ({
    scheduleId,
    status,
    runs: length,
  }));
  await transaction.write(
    sql`${insert("seen_statuses", statuses)} ON CONFLICT (schedule_id, status)
      DO UPDATE SET runs = seen_statuses.runs + excluded.runs`,
  );
  const good = runs.filter((run): run is CountedRun & { listId: number; start: number } =>
    run.listId !== null && meaningOf(run.status, dictionary) === "good"
  ).sort((a, b) => a.start - b.start || a.runId - b.runId);
  await transaction.write(
    sql`${insert("histories", [{ scheduleId, firstStart: good[0]?.start ?? null, isCounted: 1 }])}
      ON CONFLICT (schedule_id) DO UPDATE
      SET first_start = coalesce(histories.first_start, excluded.first_start)`,
  );
  if (good.length === 0) return;
  const groups = [...Map.groupBy(good, ({ listId }) => listId)].map(([listId, group]) => ({
    listId,
    first: group[0].start,
    last: group.at(-1)!.start,
    runs: group.length,
  }));
  const receipts = await toReceipts(transaction, scheduleId, groups, good.at(-1)!.listId);
  const former = await transaction.write<{ personId: number }>(
    sql`UPDATE receipts SET receiving = 0 WHERE schedule_id = ${scheduleId} AND receiving = 1
      RETURNING person_id`,
  );
  if (receipts.length > 0) {
    await transaction.write(
      sql`${insert("receipts", receipts)} ON CONFLICT (schedule_id, person_id) DO UPDATE SET
        form_id = excluded.form_id, last = excluded.last, runs = receipts.runs + excluded.runs,
        receiving = excluded.receiving`,
    );
  }
  const people = [...former.rows, ...receipts].map(({ personId }) => personId);
  await updateTotals(transaction, people);
  await closeDecisions(transaction, scheduleId, dictionary);
}

/** The receipts of good runs, which stand together by their list; `latest` is the newest one's. */
async function toReceipts(
  transaction: Transaction,
  scheduleId: number,
  groups: readonly ListedRuns[],
  latest: number | null,
): Promise<readonly Receipt[]> {
  const people = await readPeople(transaction, groups.map(({ listId }) => listId));
  const receipts = new Map<number, Receipt>();
  // What people are listed as last comes last.
  const ordered = [...groups].sort((a, b) => a.last - b.last || a.listId - b.listId);
  for (const { listId, first, last, runs } of ordered) {
    for (const [personId, formId] of people.get(listId)!) {
      const before = receipts.get(personId);
      receipts.set(personId, {
        scheduleId,
        personId,
        formId,
        first: Math.min(first, before?.first ?? first),
        last,
        runs: runs + (before?.runs ?? 0),
        receiving: listId === latest || before?.receiving === 1 ? 1 : 0,
      });
    }
  }
  return [...receipts.values()];
}

/** The people in lists, each with the first form in which a list has them. */
async function readPeople(
  transaction: Transaction,
  listIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>> {
  const lists = await readMembers(transaction, listIds);
  const forms = await transaction.read<{ id: number; personId: number }>(
    sql`SELECT id, person_id FROM forms WHERE person_id IS NOT NULL
      AND id IN ${ids([...new Set([...lists.values()].flat())])}`,
  );
  const personOf = new Map(forms.map(({ id, personId }) => [id, personId]));
  return new Map([...lists].map(([id, members]) => {
    const people = members.flatMap((form): [number, number][] =>
      personOf.has(form) ? [[personOf.get(form)!, form]] : []
    );
    // Of several forms, the first one stays.
    return [id, new Map(people.reverse())];
  }));
}

/** Counts the runs with each status. The newest run may still be going if it has none. */
async function countStatuses(
  transaction: Transaction,
  scheduleId: number,
  groups: readonly RunGroup[],
): Promise<void> {
  const [newest] = await transaction.read<{ status: string | null }>(
    sql`SELECT status FROM runs WHERE schedule_id = ${scheduleId} AND gone_at IS NULL
      ORDER BY start DESC NULLS LAST, run_id DESC LIMIT 1`,
  );
  const rows = [...Map.groupBy(groups, ({ status }) => status ?? "")].map(([status, some]) => ({
    scheduleId,
    status,
    runs: some.reduce((sum, { allRuns }) => sum + allRuns, status || newest?.status ? 0 : -1),
  })).filter(({ runs }) => runs > 0);
  await transaction.write(sql`DELETE FROM seen_statuses WHERE schedule_id = ${scheduleId}`);
  if (rows.length > 0) await transaction.write(insert("seen_statuses", rows));
}
