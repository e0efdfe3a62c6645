/** Stores what was read of schedules' histories: runs that are new, changed or gone; and removes old ones. */
import { timeOf } from "../../../lib/runs/times.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";
import type { Database, Transaction } from "../database/database.ts";
import { ids, insert, sql, upsert } from "../database/sql.ts";
import { updateTotals } from "../people/assign_people.ts";
import {
  emptyTables,
  exists,
  readColumn,
  type TransactionStep,
} from "../records/transaction_step.ts";
import { textIssue } from "../../http/shape.ts";
import { lockRuns, markUncounted, RETAINED_SINCE, retainedSince } from "./histories.ts";
import { MEMBERS, storeLists, withoutRecipients } from "./lists.ts";
import { countReceipts } from "./receipts.ts";

/** A run of a history; `start` is milliseconds since 1970, or null if it can't be read. */
export interface WatchedRun {
  readonly id: number;
  readonly start: number | null;
  readonly run: ReportRun;
}

interface ReadRun extends Pick<WatchedRun, "run"> {
  readonly scheduleId: number;
}

interface RunRow {
  readonly scheduleId: number;
  readonly runId: number;
  readonly start: number | null;
  readonly status: string | null;
  readonly listId: number | null;
  readonly json: string;
}

const MAX_STATUS = 500;

/** The tables of runs, and of what is derived from them. */
const TABLES = [
  ...["runs", "lists", "forms", "shared_user_ids", "receipts", "histories", "seen_statuses"],
  "recipient_decisions",
];

type StoredRun = Omit<RunRow, "status" | "start"> & { readonly goneAt: number | null };

/**
 * Stores runs that were read `at` a time, with who received them; returns how many were not there
 * before, and how many were there with other values. The last one with the same id counts.
 */
export async function storeRuns(
  transaction: Transaction,
  runs: readonly ReadRun[],
  at: number,
): Promise<{ readonly added: number; readonly changed: number }> {
  const written = { added: 0, changed: 0 };
  if (runs.length === 0) return written;
  await lockRuns(transaction);
  const lists = runs.map(({ run }) => readList(run)).filter((list) => list !== null);
  const listId = await storeLists(transaction, lists);
  const rows = new Map(
    runs.map(({ scheduleId, run }): [string, RunRow] => {
      const list = readList(run);
      return [`${scheduleId}/${run.id}`, {
        scheduleId,
        runId: run.id,
        start: timeOf(run.startTime) ?? null,
        // Databases can't hold every text, and indexes no long one: it is an unknown status anyway.
        status: typeof run.status === "string" && !textIssue(run.status)
          ? run.status.slice(0, MAX_STATUS)
          : null,
        listId: list && listId(list),
        json: withoutRecipients(run),
      }];
    }),
  );
  for (const [scheduleId, some] of Map.groupBy(rows.values(), (row) => row.scheduleId)) {
    const stored = await transaction.read<StoredRun>(
      sql`SELECT run_id, list_id, json, gone_at FROM runs
        WHERE schedule_id = ${scheduleId} AND run_id IN ${ids(some.map(({ runId }) => runId))}`,
    );
    const before = new Map(stored.map((row) => [row.runId, row]));
    const differing = some.filter((row) => isChanged(row, before.get(row.runId)));
    const changed = differing.filter(({ runId }) => before.has(runId)).length;
    written.changed += changed;
    written.added += differing.length - changed;
    if (differing.length === 0) continue;
    const after = changed > 0 ? null : await lastCounted(transaction, scheduleId, differing);
    const all = differing.map((row) => ({ ...row, readAt: at, changedAt: at, goneAt: null }));
    await transaction.write(
      sql`${insert("runs", all)} ON CONFLICT (schedule_id, run_id) DO UPDATE SET
        start = excluded.start, status = excluded.status, list_id = excluded.list_id,
        json = excluded.json, changed_at = excluded.changed_at, gone_at = NULL`,
    );
    await countReceipts(transaction, scheduleId, after);
  }
  return written;
}

/** Stores changes of a history that were read `at` a time. */
export function storeChanges(
  scheduleId: number,
  { put, removed = [] }: {
    readonly put: readonly Pick<WatchedRun, "run">[];
    readonly removed?: readonly number[];
  },
  at: number,
): TransactionStep {
  const runs = put.map(({ run }) => ({ scheduleId, run }));
  return async (transaction) => {
    await storeRuns(transaction, runs, at);
    await removeRuns(transaction, scheduleId, removed, at);
  };
}

/** Marks runs that the service no longer has, as an answer `at` a time shows. */
async function removeRuns(
  transaction: Transaction,
  scheduleId: number,
  runIds: readonly number[],
  at: number,
): Promise<void> {
  if (runIds.length === 0) return;
  await lockRuns(transaction);
  await transaction.write(
    sql`UPDATE runs SET gone_at = ${at}, changed_at = ${at} WHERE schedule_id = ${scheduleId}
      AND gone_at IS NULL AND run_id IN ${ids(runIds)}`,
  );
  await countReceipts(transaction, scheduleId);
}

/** Removes all runs and people; who was forgotten stays forgotten. */
export async function clearRuns(transaction: Transaction): Promise<void> {
  await lockRuns(transaction);
  await emptyTables(transaction, TABLES);
  const isForgotten = sql`key LIKE ${"f%"}`;
  await transaction.write(sql`DELETE FROM people WHERE NOT ${isForgotten}`);
  await updateTotals(transaction, await readColumn(transaction, sql`SELECT id FROM people`));
}

function readList({ recipients }: ReportRun): readonly Recipient[] | null {
  return Array.isArray(recipients) ? recipients : null;
}

function isChanged(row: RunRow, before: StoredRun | undefined): boolean {
  return before === undefined || before.goneAt !== null || before.json !== row.json ||
    before.listId !== row.listId;
}

/** So many runs of a schedule may start in the same moment. */
const MAX_AT_ONCE = 10;

/** When the newest known run started, if these, which are new, only add to the receipts; or null. */
async function lastCounted(
  transaction: Transaction,
  scheduleId: number,
  runs: readonly RunRow[],
): Promise<number | null> {
  const latest = await transaction.read<Pick<RunRow, "start" | "status">>(
    sql`SELECT start, status FROM runs JOIN histories USING (schedule_id)
      WHERE schedule_id = ${scheduleId} AND gone_at IS NULL AND is_counted = 1
      ORDER BY start DESC NULLS LAST, run_id LIMIT ${MAX_AT_ONCE}`,
  );
  const last = latest[0]?.start ?? null;
  // One without a status may have been going: now it is no longer among the newest.
  const isGoing = latest.some(({ start, status }) => start === last && !status);
  if (last === null || isGoing) return null;
  const isLater = ({ start, status }: RunRow) => status && start !== null && start > last;
  return runs.every(isLater) ? last : null;
}

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
        else await countReceipts(transaction, scheduleId);
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
