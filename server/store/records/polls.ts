/** Polls of schedules: which are due, which instance makes them, and their outcome. */
import type { Engine, TransactionStep } from "../engine.ts";
import { amongIds, placeholders } from "../sql.ts";
import { update } from "./table.ts";
import type { LeasedWatch } from "./types.ts";
import { addNumber } from "./values.ts";
import { WATCHES } from "./watches.ts";

/** The most concurrent polls of all instances together; each is one request. */
export const MAX_POLLS = 8;

type PollOutcome =
  | { readonly polled: number; readonly title?: string; readonly ownerId?: number | null }
  | { readonly failed: number; readonly failure: string };

export function pollsOn(engine: Engine) {
  return {
    async makeDue(scheduleIds: number | readonly number[], now: number): Promise<void> {
      const among = amongIds("schedule_id", [scheduleIds].flat());
      await engine.rows(`UPDATE known_schedules SET due = ? WHERE ${among}`, [now]);
    },
    async sinceCheck(at: number) {
      const text = "SELECT count(*), count(CASE WHEN due <= ? THEN 1 END), count(failure), " +
        "(SELECT count(*) FROM incidents WHERE opened >= ?), " +
        "(SELECT count(*) FROM incidents WHERE resolved >= ?) FROM watches WHERE watched = 1";
      const [row] = await engine.rows(text, [at, at, at]);
      const [all, waiting, failing, opened, ended] = row as number[];
      return { all, waiting, failing, opened, ended };
    },
    /** Whether a schedule is due that no instance polls. Reading takes no lock; claiming does. */
    async anyDue(now: number): Promise<boolean> {
      const text = "SELECT 1 FROM known_schedules WHERE watched IN (0, 1) AND due <= ? " +
        "AND (lease_until IS NULL OR lease_until <= ?) LIMIT 1";
      return (await engine.rows(text, [now, now])).length > 0;
    },
    /** Leases due schedules, watched ones first, at most MAX_POLLS among all instances. */
    async claim(holder: string, now: number, leaseUntil: number): Promise<readonly LeasedWatch[]> {
      const claimed = await engine.transact([
        // Locks out other instances: two that claim at once could exceed the limit together.
        addNumber("claims", 1),
        ...[1, 0].map((watched) => ({
          text: "WITH free AS MATERIALIZED (SELECT schedule_id AS free_id FROM known_schedules " +
            `WHERE watched = ${watched} AND due <= ? ` +
            "AND (lease_until IS NULL OR lease_until <= ?) ORDER BY due " +
            `LIMIT (SELECT CASE WHEN count(*) < ${MAX_POLLS} THEN ${MAX_POLLS} - count(*) ` +
            "ELSE 0 END FROM known_schedules WHERE lease_until > ?) FOR UPDATE SKIP LOCKED) " +
            "UPDATE known_schedules SET lease = ?, lease_until = ? FROM free " +
            `WHERE schedule_id = free_id RETURNING ${WATCHES.columns}`,
          values: [now, now, now, holder, leaseUntil],
        })),
      ]);
      return (claimed?.flat() ?? [])
        .map((row) => ({ ...WATCHES.fromRow(row), lease: holder }));
    },
    async renew(leases: readonly string[], leaseUntil: number): Promise<void> {
      if (leases.length === 0) return;
      const text = `UPDATE known_schedules SET lease_until = ? WHERE lease IN (${
        placeholders(leases)
      })`;
      await engine.rows(text, [leaseUntil, ...leases]);
    },
    /** When the next watched schedule is due; null if none is watched. */
    async nextDue(): Promise<number | null> {
      const text = "SELECT min(due) FROM watches";
      return (await engine.rows(text))[0][0] as number | null;
    },
    /**
     * Another watch that was read before, if this one has no open incident of its own, and that has
     * none either: the one that failed the least, then the newest. And whether any was ever read.
     */
    async readBefore(scheduleId: number) {
      const unreadable = (id: string) =>
        `EXISTS (SELECT 1 FROM incidents WHERE schedule_id = ${id} AND resolved IS NULL ` +
        "AND code = 'unreadable')";
      const text = `SELECT (SELECT schedule_id FROM watches WHERE schedule_id <> ? ` +
        `AND polled IS NOT NULL AND NOT ${unreadable("watches.schedule_id")} ` +
        `AND NOT ${unreadable("?")} ORDER BY failures, polled DESC LIMIT 1), ` +
        "(SELECT max(polled) FROM known_schedules)";
      const [[other, latest]] = await engine.rows(text, [scheduleId, scheduleId]);
      return { other: other as number | null, anyRead: latest !== null };
    },
    async othersPolled(scheduleId: number, after: number): Promise<number> {
      const text = "SELECT count(*) FROM watches WHERE schedule_id <> ? AND polled > ?";
      return (await engine.rows(text, [scheduleId, after]))[0][0] as number;
    },
    async othersFail(scheduleId: number): Promise<boolean> {
      const text =
        "SELECT schedule_id FROM watches WHERE failures > 0 AND schedule_id <> ? LIMIT 1";
      return (await engine.rows(text, [scheduleId])).length > 0;
    },
    /** Whether a watch fails without an incident of these codes; one failure after `opened` is ignored. */
    async anyUnread(codes: readonly string[], opened: number): Promise<boolean> {
      const text = "SELECT schedule_id FROM watches " +
        "WHERE failures > 0 AND (failures > 1 OR failing_since <= ?) AND NOT EXISTS " +
        "(SELECT 1 FROM incidents WHERE incidents.schedule_id = watches.schedule_id " +
        `AND resolved IS NULL AND code IN (${placeholders(codes)})) LIMIT 1`;
      return (await engine.rows(text, [opened, ...codes])).length > 0;
    },
  };
}

/** Makes a schedule, or for null any one, due now. Required, because it may no longer be watched. */
export function dueNow(scheduleId: number | null, now: number): TransactionStep {
  const which = scheduleId === null
    ? "(SELECT schedule_id FROM watches ORDER BY failures, schedule_id LIMIT 1)"
    : "?";
  return {
    text: `UPDATE known_schedules SET due = ? WHERE schedule_id = ${which} AND watched = 1 ` +
      "RETURNING schedule_id",
    values: scheduleId === null ? [now] : [now, scheduleId],
    required: true,
  };
}

/** Ends a poll. Required, because an instance that lost the lease must not store its result. */
export function endOfPoll(
  { scheduleId, lease, failures, failingSince, due: dueBefore }: LeasedWatch,
  outcome: PollOutcome,
  due: number,
): TransactionStep {
  const polled = {
    ..."polled" in outcome ? { ...outcome, failures: 0, failingSince: null, failure: null } : {
      failures: failures + 1,
      failingSince: failingSince ?? outcome.failed,
      failure: outcome.failure,
    },
    lease: null,
    leaseUntil: null,
  };
  // A watch that became due again meanwhile stays due: this poll may have read older data.
  const rest = ", due = CASE WHEN due = ? THEN ? ELSE due END " +
    "WHERE schedule_id = ? AND lease = ? RETURNING schedule_id";
  const values = [dueBefore, due, scheduleId, lease];
  return { ...update("known_schedules", polled, rest, values), required: true };
}
