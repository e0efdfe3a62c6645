/** Polls of schedules: which are due, which instance makes them, and their outcome. */
import type { Database } from "../database/database.ts";
import { FOR_UPDATE_SKIP_LOCKED, ids, lock, set, type Sql, sql, texts } from "../database/sql.ts";
import {
  exists,
  isUnleased,
  readValue,
  required,
  type TransactionStep,
  UNLEASED,
} from "./transaction_step.ts";
import { type FailureKind, type KnownSchedule, NOTHING_LACKED } from "./watches.ts";

/** The most concurrent polls of all instances together; each is one request. */
export const MAX_POLLS = 8;

/** How far the clocks of instances may differ; also the longest lease. */
export const TOLERANCE_MS = 2 * 60_000;

export interface LeasedWatch extends KnownSchedule {
  readonly lease: string;
  /**
   * The ids of the runs that the latest stale answer lacked, such as `7,9`, and since when all have
   * lacked them; empty if no stale answer named runs, and null if none was stale.
   */
  readonly lacked: string | null;
  readonly lackedSince: number | null;
}

type PollOutcome =
  | { readonly polled: number; readonly title?: string; readonly ownerId?: number | null }
  | (
    & { readonly failed: number; readonly failure: string; readonly failureKind: FailureKind }
    & Partial<Pick<LeasedWatch, "lacked" | "lackedSince">>
  );

const NO_FAILURE = {
  failures: 0,
  failingSince: null,
  failure: null,
  failureKind: null,
  ...NOTHING_LACKED,
};

function isFree(now: number): Sql {
  return sql`due <= ${now} AND ${isUnleased(now)}`;
}

export function pollsOn(database: Database) {
  return {
    /** Makes known schedules due; returns how many of them are known. */
    async makeDue(
      scheduleIds: "watched" | number | readonly number[],
      now: number,
    ): Promise<number> {
      const which = scheduleIds === "watched"
        ? sql`watched = 1`
        : sql`schedule_id IN ${ids([scheduleIds].flat())}`;
      const { changed } = await database.write(
        sql`UPDATE known_schedules SET due = ${now} WHERE ${which}`,
      );
      return changed;
    },
    /** Whether a schedule is due that no instance polls. Reading takes no lock; claiming does. */
    anyDue: (now: number): Promise<boolean> =>
      exists(database, sql`known_schedules WHERE watched IN (0, 1) AND ${isFree(now)}`),
    /** Leases due schedules, watched ones first, at most MAX_POLLS among all instances. */
    claim: (holder: string, now: number, leaseUntil: number): Promise<readonly LeasedWatch[]> =>
      database.transaction(async ({ read, write }) => {
        // Two instances that claim at once could exceed the limit together.
        await read(lock("polls"));
        const leased = await readValue<number>(
          { read },
          sql`SELECT count(*) FROM known_schedules WHERE lease_until > ${now}`,
        );
        const { rows } = await write<LeasedWatch>(
          sql`WITH free AS MATERIALIZED (SELECT schedule_id AS free_id FROM known_schedules
            WHERE watched IN (0, 1) AND ${isFree(now)} ORDER BY watched DESC, due
            LIMIT ${Math.max(0, MAX_POLLS - leased)} ${FOR_UPDATE_SKIP_LOCKED})
            UPDATE known_schedules SET lease = ${holder}, lease_until = ${leaseUntil} FROM free
            WHERE schedule_id = free_id
            RETURNING *`,
        );
        return rows;
      }),
    async renew(leases: readonly string[], leaseUntil: number): Promise<void> {
      if (leases.length === 0) return;
      await database.write(
        sql`UPDATE known_schedules SET lease_until = ${leaseUntil} WHERE lease IN ${texts(leases)}`,
      );
    },
    /** When the next watched schedule is due; null if none is watched. */
    nextDue: (): Promise<number | null> => readValue(database, sql`SELECT min(due) FROM watches`),
    /**
     * Another watch that was read before, if this one has no open incident of its own, and that has
     * none either: the one that failed the least, then the newest; undefined for none.
     */
    readBefore(scheduleId: number): Promise<number | undefined> {
      const unreadable = sql`(SELECT schedule_id FROM incidents WHERE resolved IS NULL
        AND code = 'unreadable' AND schedule_id IS NOT NULL)`;
      return readValue(
        database,
        sql`SELECT schedule_id FROM watches WHERE schedule_id <> ${scheduleId}
          AND polled IS NOT NULL AND schedule_id NOT IN ${unreadable}
          AND ${scheduleId} NOT IN ${unreadable} ORDER BY failures, polled DESC LIMIT 1`,
      );
    },
    /** Whether another schedule was read, by a request after one time and not after another. */
    wereOthersPolled: (scheduleId: number, after: number, by: number): Promise<boolean> =>
      exists(
        database,
        sql`watches WHERE schedule_id <> ${scheduleId} AND polled > ${after} AND polled <= ${by}`,
      ),
    /** Whether a watch fails without an incident of these codes; one failure after `opened` is ignored. */
    anyUnread: (codes: readonly string[], opened: number): Promise<boolean> =>
      exists(
        database,
        sql`watches
          WHERE failures > 0 AND (failures > 1 OR failing_since <= ${opened}) AND NOT EXISTS
          (SELECT 1 FROM incidents WHERE incidents.schedule_id = watches.schedule_id
            AND resolved IS NULL AND code IN ${texts(codes)})`,
      ),
    /**
     * Makes watches and messages due now whose times are further in the future than they can be: they
     * were stored before a clock was set back.
     */
    async correctFutureTimes(now: number, longestWaitMs: number): Promise<void> {
      const future = now + TOLERANCE_MS;
      const free = { due: now, ...UNLEASED };
      const atMost = (column: Sql) =>
        sql`CASE WHEN ${column} > ${now} THEN ${now} ELSE ${column} END`;
      await database.write(
        sql`UPDATE known_schedules SET ${set(free)}, created = ${atMost(sql`created`)},
          polled = ${atMost(sql`polled`)}, failing_since = ${atMost(sql`failing_since`)}
          WHERE created > ${future} OR polled > ${future} OR failing_since > ${future}
          OR lease_until > ${future}`,
      );
      await database.write(
        // Quiet hours hold messages for long: those count by when they were queued.
        sql`UPDATE messages SET ${set(free)} WHERE due IS NOT NULL AND (created > ${future}
          OR held_until IS NULL AND (attempts = 0 AND due > ${future}
            OR due > ${future + longestWaitMs}) OR lease_until > ${future})`,
      );
    },
  };
}

/** Makes a schedule, or for null any one, due now. Required, because it may no longer be watched. */
export function dueNow(scheduleId: number | null, now: number): TransactionStep {
  const which = scheduleId === null
    ? sql`(SELECT schedule_id FROM watches ORDER BY failures, schedule_id LIMIT 1)`
    : sql`${scheduleId}`;
  return required(
    sql`UPDATE known_schedules SET due = ${now} WHERE schedule_id = ${which} AND watched = 1`,
  );
}

/** Ends a poll. Required, because an instance that lost the lease must not store its result. */
export function endOfPoll(
  { scheduleId, lease, failures, failingSince, due: dueBefore }: LeasedWatch,
  outcome: PollOutcome,
  due: number,
): TransactionStep {
  let polled;
  if ("polled" in outcome) polled = { ...NO_FAILURE, ...outcome };
  else {
    const { failed, ...failure } = outcome;
    polled = { ...failure, failures: failures + 1, failingSince: failingSince ?? failed };
  }
  // A watch that became due again meanwhile stays due: this poll may have read older data.
  return required(
    sql`UPDATE known_schedules SET ${set({ ...polled, ...UNLEASED })},
      due = CASE WHEN due = ${dueBefore} THEN ${due} ELSE due END
      WHERE schedule_id = ${scheduleId} AND lease = ${lease}`,
  );
}
