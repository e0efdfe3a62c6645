/** Known schedules, of which some are watched, and their settings. */
import { type Plan, saySameTimes } from "../../../lib/judgement/plans/plan.ts";
import type { Pause } from "../../../lib/judgement/slots.ts";
import type { Database, Transaction } from "../database/database.ts";
import { FOR_UPDATE, ids, insert, set, type Sql, sql, when } from "../database/sql.ts";
import { type Acting, eachWatchChanged, type WatchEvent } from "./events.ts";
import { lockRuns } from "../runs/histories.ts";
import { countKnownAgain, removeCounts } from "../runs/receipts.ts";
import { judgeAgain } from "./verdicts.ts";
import {
  commit,
  exists,
  readColumn,
  readValue,
  type TransactionStep,
  UNLEASED,
  write,
} from "./transaction_step.ts";

export interface ConfirmedPlan extends Plan {
  /** When it was confirmed, or else since when the plan applies. */
  readonly confirmed?: number;
}

export interface WatchSettings {
  readonly name: string;
  /** The name of its owner; empty for none. */
  readonly owner: string;
  /** The plan that holds from its `since` on; null leaves the plan to Docket. */
  readonly plan: ConfirmedPlan | null;
  readonly pauses: readonly Pause[];
  /** No messages about it are sent until then; null if it is not muted. */
  readonly mutedUntil: number | null;
}

export interface KnownSchedule extends Omit<WatchSettings, "plan"> {
  /** The plans that people confirmed, oldest first: each holds until the next one's `since`. */
  readonly plans: readonly ConfirmedPlan[];
  readonly scheduleId: number;
  /** 1 if it is watched; 0 if it is only read, once a day and without incidents. */
  readonly watched: 0 | 1;
  readonly source: "hand" | "file" | "found" | "import";
  /** The report's title at the last poll, with addresses masked; empty if unknown. */
  readonly title: string;
  /** The user id of the newest run's owner; null if it has none. */
  readonly ownerId: number | null;
  /** Since when it is watched, or else known. */
  readonly created: number;
  readonly due: number;
  readonly polled: number | null;
  /** How many runs of its history were read, from the newest; null if it was read to its end. */
  readonly historyRead: number | null;
  readonly failures: number;
  readonly failingSince: number | null;
  /** Why the latest poll failed, in words; null if it did not. */
  readonly failure: string | null;
  readonly failureKind: FailureKind | null;
}

/**
 * What failed: the token, refused whatever it asks for; the schedule, refused (403, 409) or missing
 * (404); the service, broken; judging the history; or the answer is an old one.
 */
export type FailureKind = "token" | "refused" | "missing" | "broken" | "unjudged" | "stale";

/** A cause for which schedules can't be read. */
interface ReadFailures {
  readonly failure: string;
  readonly schedules: number;
  /** When the first of them failed. */
  readonly since: number | null;
  /** The lowest id of the schedules. */
  readonly first: number;
}

const NEW = {
  ...{ name: "", owner: "", plans: [], pauses: [], mutedUntil: null },
  ...{ title: "", failures: 0, historyRead: 0 },
};

/**
 * Of more plans, the oldest go. A verdict looks back 400 days, and hardly any schedule gets another
 * plan every twenty days.
 */
const MAX_PLANS = 20;

/** The columns of settings: a plan is added to those before, or replaces one with the same times. */
function toColumns(
  { plan, ...others }: Partial<WatchSettings>,
  before: readonly ConfirmedPlan[] = [],
): Partial<KnownSchedule> {
  if (plan === undefined) return others;
  if (plan === null) return { ...others, plans: [] };
  const last = before.at(-1);
  const isSame = last !== undefined && saySameTimes(last, plan);
  const newest = isSame ? { ...plan, since: last.since } : plan;
  const earlier = before.filter(({ since }) => since < newest.since);
  return { ...others, plans: [...earlier, newest].slice(-MAX_PLANS) };
}

/** What is known of a stale answer if there was none. */
export const NOTHING_LACKED = { lacked: null, lackedSince: null };

/** What is to become of a schedule. */
export interface ScheduleChange {
  readonly scheduleId: number;
  readonly settings: Partial<WatchSettings>;
  /** Null leaves it as it is; a new one is then not watched. */
  readonly watched: 0 | 1 | null;
}

async function findKnown(
  { read }: Pick<Transaction, "read">,
  scheduleIds: readonly number[],
  locking: Sql = sql``,
): Promise<ReadonlyMap<number, KnownSchedule>> {
  const found = await read<KnownSchedule>(
    sql`SELECT * FROM known_schedules WHERE schedule_id IN ${ids(scheduleIds)}
      ORDER BY schedule_id ${locking}`,
  );
  return new Map(found.map((watch) => [watch.scheduleId, watch]));
}

/** The known ones of these. Nobody else changes them, or adds another, until the transaction ends. */
async function lockKnown(transaction: Transaction, scheduleIds: readonly number[]) {
  const known = await findKnown(transaction, scheduleIds);
  // Only who adds one waits for whoever counts runs, as its people are counted.
  if (scheduleIds.some((id) => !known.has(id))) await lockRuns(transaction);
  return await findKnown(transaction, scheduleIds, FOR_UPDATE);
}

export function watchesOn(database: Database) {
  /** The watched schedules, or those with these ids. */
  const list = (scheduleIds?: readonly number[]): Promise<readonly KnownSchedule[]> =>
    database.read(
      sql`SELECT * FROM watches ${
        when(scheduleIds !== undefined, sql`WHERE schedule_id IN ${ids(scheduleIds ?? [])}`)
      } ORDER BY schedule_id`,
    );

  return {
    list,
    get: async (scheduleId: number): Promise<KnownSchedule | undefined> =>
      (await list([scheduleId]))[0],
    /** The known ones of these schedules, watched or not, by id. */
    known: (scheduleIds: readonly number[]) => findKnown(database, scheduleIds),
    /** The ids of known schedules that are not watched, at most `limit` of them. */
    unwatchedIds: (limit: number): Promise<readonly number[]> =>
      readColumn(
        database,
        sql`SELECT schedule_id FROM known_schedules WHERE watched = 0
          ORDER BY schedule_id LIMIT ${limit}`,
      ),
    countKnown: (): Promise<number> =>
      readValue(database, sql`SELECT count(*) FROM known_schedules`),
    /** When any schedule was last read; null if none was. */
    lastPolled: (): Promise<number | null> =>
      readValue(database, sql`SELECT max(polled) FROM known_schedules`),
    /** Why schedules can't be read, the most frequent cause first. */
    failures: (): Promise<readonly ReadFailures[]> =>
      database.read(
        sql`SELECT failure, count(*) AS schedules, min(failing_since) AS since,
            min(schedule_id) AS first
          FROM known_schedules WHERE failure IS NOT NULL
          GROUP BY failure ORDER BY count(*) DESC, failure`,
      ),
    /** Watches schedules, or with `watched` 0 adds them as known; returns the ids that were added. */
    async add(
      scheduleIds: readonly number[],
      now: number,
      settings: Partial<WatchSettings> = {},
      steps: readonly TransactionStep[] = [],
      { source = "hand", watched = 1 }: Partial<Pick<KnownSchedule, "source" | "watched">> = {},
    ): Promise<readonly number[]> {
      let added: readonly number[] = [];
      const isDone = await commit(database, [async (transaction) => {
        added = await addMissing(transaction, scheduleIds, { settings, watched, source, now });
        return added.length > 0;
      }, ...steps]);
      return isDone ? added : [];
    },
    /** Adds schedules, and changes known ones, in one transaction. */
    saveAll: (
      changes: readonly ScheduleChange[],
      { events, ...how }: Pick<KnownSchedule, "source"> & {
        readonly events: readonly WatchEvent[];
        readonly now: number;
      },
    ): Promise<void> =>
      database.transaction(async (transaction) => {
        const known = await lockKnown(transaction, changes.map(({ scheduleId }) => scheduleId));
        await saveSchedules(transaction, changes, { known, ...how });
        if (events.length > 0) await transaction.write(insert("events", events));
      }),
    /**
     * Changes settings. False if it is not known, or if `change`, which is called with its current
     * settings, returns null.
     */
    change: (
      scheduleId: number,
      change: Partial<WatchSettings> | ((watch: KnownSchedule) => Partial<WatchSettings> | null),
      now: number,
      steps: readonly TransactionStep[] = [],
    ): Promise<boolean> =>
      commit(database, [async (transaction) => {
        const known = await lockKnown(transaction, [scheduleId]);
        const before = known.get(scheduleId);
        const settings = before && (typeof change === "function" ? change(before) : change);
        if (!settings) return false;
        const changes = [{ scheduleId, settings, watched: null }];
        await saveSchedules(transaction, changes, { known, source: "hand", now });
      }, ...steps]),
    /** Sets the owner of known schedules. */
    assign: (scheduleIds: readonly number[], owner: string, { actor, now }: Acting) =>
      commit(database, [
        eachWatchChanged(
          { actor, now, note: `Owner: ${owner}` },
          sql`schedule_id IN ${ids(scheduleIds)}`,
          sql`known_schedules`,
        ),
        write(
          sql`UPDATE known_schedules SET ${set({ owner, due: now, ...UNLEASED })}
            WHERE schedule_id IN ${ids(scheduleIds)}`,
        ),
      ]),
    /** Ends watches. The schedules stay known, with their settings, runs and incidents. */
    remove: (scheduleIds: readonly number[], { actor, now }: Acting): Promise<void> =>
      database.transaction(async (transaction) => {
        const known = await findKnown(transaction, scheduleIds, FOR_UPDATE);
        const ended = [...known.values()].filter(({ watched }) => watched === 1);
        if (ended.length === 0) return;
        await transaction.write(
          sql`UPDATE known_schedules SET ${set({ watched: 0, ...UNLEASED, ...NOTHING_LACKED })}
            WHERE schedule_id IN ${ids(ended.map(({ scheduleId }) => scheduleId))}`,
        );
        const event = { incidentId: null, at: now, kind: "no longer watched", actor, note: null };
        const events = ended.map(({ scheduleId }) => ({ ...event, scheduleId }));
        await transaction.write(insert("events", events));
      }),
    /** Removes what is known of those of these schedules that are not watched, but their runs. */
    forget: (scheduleIds: readonly number[]): Promise<void> =>
      database.transaction(async (transaction) => {
        await lockRuns(transaction);
        const { rows } = await transaction.write<Pick<KnownSchedule, "scheduleId">>(
          sql`DELETE FROM known_schedules WHERE schedule_id IN ${ids(scheduleIds)} AND watched = 0
            RETURNING schedule_id`,
        );
        const removed = sql`schedule_id IN ${ids(rows.map(({ scheduleId }) => scheduleId))}`;
        await removeCounts(transaction, removed);
        await transaction.write(sql`DELETE FROM verdicts WHERE ${removed}`);
      }),
  };
}

/** Watches schedules, or with `watched` 0 adds those that are not known; returns their ids. */
export async function addMissing(
  transaction: Transaction,
  scheduleIds: readonly number[],
  { settings = {}, watched = 0, ...how }: Partial<Pick<ScheduleChange, "settings">> & {
    readonly watched?: 0 | 1;
    readonly source: KnownSchedule["source"];
    readonly now: number;
  },
): Promise<readonly number[]> {
  const known = await lockKnown(transaction, scheduleIds);
  const added = [...new Set(scheduleIds)].filter((id) => (known.get(id)?.watched ?? -1) < watched);
  const changes = added.map((scheduleId) => ({ scheduleId, settings, watched }));
  await saveSchedules(transaction, changes, { known, ...how });
  return added;
}

/** Adds schedules and changes known ones, which become due; a poll in progress records nothing. */
async function saveSchedules(
  transaction: Transaction,
  changes: readonly ScheduleChange[],
  { known: before, source, now }: Pick<KnownSchedule, "source"> & {
    /** Those that were known before, locked. */
    readonly known: ReadonlyMap<number, KnownSchedule>;
    readonly now: number;
  },
): Promise<void> {
  const added = changes.filter(({ scheduleId }) => !before.has(scheduleId));
  if (added.length > 0) {
    const rows = added.map(({ scheduleId, settings, watched }) => ({
      ...{ ...NEW, scheduleId, watched: watched ?? 0, source, created: now, due: now },
      ...toColumns(settings),
    }));
    await transaction.write(insert("known_schedules", rows));
    await countKnownAgain(transaction, added.map(({ scheduleId }) => scheduleId));
  }
  const judgedAgain: number[] = [];
  for (const { scheduleId, settings, ...change } of changes) {
    const known = before.get(scheduleId);
    if (!known) continue;
    const watched = change.watched ?? known.watched;
    const begins = watched > known.watched;
    const columns = {
      ...{ ...toColumns(settings, known.plans), watched, due: now, ...UNLEASED },
      ...watched === 0 && NOTHING_LACKED,
      // The next poll is the first of the watch.
      ...begins && { created: now },
    };
    await transaction.write(
      sql`UPDATE known_schedules SET ${set(columns)} WHERE schedule_id = ${scheduleId}`,
    );
    if (begins || settings.plan !== undefined || settings.pauses) judgedAgain.push(scheduleId);
  }
  await judgeAgain(transaction, sql`schedule_id IN ${ids(judgedAgain)}`, now);
}

export function recordHistoryRead(scheduleId: number, historyRead: number | null): TransactionStep {
  return write(
    sql`UPDATE known_schedules SET ${set({ historyRead })} WHERE schedule_id = ${scheduleId}`,
  );
}

/** Undoes the transaction if the schedule, or for null any schedule, is watched. */
export function onlyUnwatched(scheduleId: number | null): TransactionStep {
  const which = scheduleId === null ? sql`TRUE` : sql`schedule_id = ${scheduleId}`;
  return async (transaction) => !await exists(transaction, sql`watches WHERE ${which}`);
}

/** The name that people gave a schedule, or else its report's title. */
export function watchName({ name, title }: Pick<KnownSchedule, "name" | "title">): string {
  return name || title;
}

/** Removes what the records have of these schedules; without any other watch, also of the service. */
export async function forgetSchedules(
  { write }: Transaction,
  scheduleIds: readonly number[],
): Promise<void> {
  const among = sql`schedule_id IN ${ids(scheduleIds)}`;
  await write(sql`DELETE FROM known_schedules WHERE ${among}`);
  const incidents = sql`(SELECT id FROM incidents WHERE ${among}
    OR schedule_id IS NULL AND NOT EXISTS (SELECT 1 FROM watches))`;
  await write(sql`DELETE FROM events WHERE ${among} OR incident_id IN ${incidents}`);
  await write(sql`DELETE FROM messages WHERE incident_id IN ${incidents}`);
  await write(sql`DELETE FROM incidents WHERE id IN ${incidents}`);
  await write(sql`DELETE FROM id_answers WHERE ${among}`);
  await write(sql`DELETE FROM verdicts WHERE ${among}`);
}
