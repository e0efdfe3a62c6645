/** Counts who received which schedules and when, from good runs. */
import { meaningOf } from "../../../lib/runs/status.ts";
import type { Database, Transaction } from "../database/database.ts";
import { ids, insert, sql, texts, upsert } from "../database/sql.ts";
import { closeDecisions } from "../people/recipient_decisions.ts";
import { updateTotals } from "../people/totals.ts";
import { readDictionary } from "../records/statuses.ts";
import { lockRuns } from "./histories.ts";
import { readMembers } from "./lists.ts";

/** Runs of a schedule with the same list and status. */
interface RunGroup {
  readonly listId: number | null;
  readonly status: string | null;
  readonly first: number | null;
  readonly last: number | null;
  /** How many have a start, and how many there are. */
  readonly runs: number;
  readonly allRuns: number;
}

type ListedGroup = RunGroup & Record<"listId" | "first" | "last", number>;

interface Receipt {
  readonly scheduleId: number;
  readonly personId: number;
  readonly formId: number;
  readonly first: number;
  readonly last: number;
  readonly runs: number;
  /** 1 if the newest good run lists the person, otherwise 0. */
  readonly receiving: 0 | 1;
}

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
        await countReceipts(transaction, scheduleId);
      }),
  };
}

/** Counts the receipts of a schedule from all its runs. */
export async function countReceipts(transaction: Transaction, scheduleId: number): Promise<void> {
  const current = sql`FROM runs WHERE schedule_id = ${scheduleId} AND gone_at IS NULL`;
  const groups = await transaction.read<RunGroup>(
    sql`SELECT list_id, status, min(start) AS first, max(start) AS last, count(start) AS runs,
      count(*) AS all_runs ${current} GROUP BY list_id, status`,
  );
  const dictionary = await readDictionary(transaction);
  const good = groups.filter((group): group is ListedGroup =>
    group.listId !== null && group.last !== null && meaningOf(group.status, dictionary) === "good"
  );
  const [newest] = await transaction.read<{ listId: number }>(
    sql`SELECT list_id ${current} AND list_id IS NOT NULL
      AND status IN ${texts(good.map(({ status }) => status!))}
      ORDER BY start DESC NULLS LAST, run_id DESC LIMIT 1`,
  );
  const removed = await transaction.write<{ personId: number }>(
    sql`DELETE FROM receipts WHERE schedule_id = ${scheduleId} RETURNING person_id`,
  );
  const receipts = new Map<number, Receipt>();
  const peopleOf = await readPeople(transaction, good.map(({ listId }) => listId));
  // What people are listed as last comes last.
  for (const group of good.sort((a, b) => a.last - b.last || a.listId - b.listId)) {
    const { listId, first, last, runs } = group;
    for (const [personId, formId] of peopleOf.get(listId)!) {
      const before = receipts.get(personId);
      receipts.set(personId, {
        scheduleId,
        personId,
        formId,
        first: Math.min(first, before?.first ?? first),
        last,
        runs: runs + (before?.runs ?? 0),
        receiving: listId === newest.listId || before?.receiving === 1 ? 1 : 0,
      });
    }
  }
  if (receipts.size > 0) await transaction.write(insert("receipts", [...receipts.values()]));
  await countStatuses(transaction, scheduleId, groups);
  const firstStart = good.length === 0 ? null : Math.min(...good.map(({ first }) => first));
  await transaction.write(
    upsert("histories", [{ scheduleId, firstStart, isCounted: 1 }], ["schedule_id"]),
  );
  await updateTotals(transaction, [
    ...removed.rows.map(({ personId }) => personId),
    ...receipts.keys(),
  ]);
  await closeDecisions(transaction, scheduleId, dictionary);
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
