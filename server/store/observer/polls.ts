/** Polls of watched schedules: which are due, who makes them, and their outcome. */
import type { Engine, TransactionStep } from "../engine.ts";
import { amongIds, placeholders } from "../sql.ts";
import { update } from "./table.ts";
import type { LeasedWatch } from "./types.ts";
import { WATCHES } from "./watches.ts";

/** The most polls in flight, of all instances together; each is one request. */
export const MAX_POLLS = 8;

export type PollOutcome =
  | { readonly polled: number; readonly title?: string; readonly ownerId?: number | null }
  | { readonly failed: number; readonly failure: string };

export function pollsOn(engine: Engine) {
  return {
    /** Makes the known ones of these schedules due. */
    async makeDue(scheduleIds: number | readonly number[], now: number): Promise<void> {
      const among = amongIds("schedule_id", [scheduleIds].flat());
      await engine.rows(`UPDATE known_schedules SET due = ? WHERE ${among.text}`, [now]);
    },
    /** The result of polling all watches at a time: how many still wait or fail, and what changed. */
    async sinceCheck(at: number, ids?: readonly number[]) {
      const among = ids ? ` AND ${amongIds("schedule_id", ids).text}` : "";
      const text = "SELECT count(*), count(CASE WHEN due <= ? THEN 1 END), count(failure), " +
        `(SELECT count(*) FROM incidents WHERE opened >= ?${among}), ` +
        `(SELECT count(*) FROM incidents WHERE resolved >= ?${among}) ` +
        `FROM watches WHERE watched = 1${among}`;
      const [row] = await engine.rows(text, [at, at, at]);
      const [all, waiting, failing, opened, ended] = row as number[];
      return { all, waiting, failing, opened, ended };
    },
    /** Whether a schedule is due that nobody is polling. Reading takes no lock; claiming does. */
    async anyDue(now: number): Promise<boolean> {
      const text = "SELECT 1 FROM known_schedules WHERE watched IN (0, 1) AND due <= ? " +
        "AND (lease_until IS NULL OR lease_until <= ?) LIMIT 1";
      return (await engine.rows(text, [now, now])).length > 0;
    },
    /** Leases schedules that are due, watched ones first, at most MAX_POLLS among all instances. */
    async claim(holder: string, now: number, leaseUntil: number): Promise<readonly LeasedWatch[]> {
      const claimed = await engine.transact([
        // Lets one instance claim at a time: two could each count the other's places as free.
        {
          text: "INSERT INTO observer_values VALUES ('claims', 1, '') " +
            "ON CONFLICT (name) DO UPDATE SET number = observer_values.number + 1",
          values: [],
        },
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
      return (claimed?.slice(1).flat() ?? [])
        .map((row) => ({ ...WATCHES.fromRow(row), lease: holder }));
    },
    async renew(leases: readonly string[], leaseUntil: number): Promise<void> {
      if (leases.length === 0) return;
      const places = placeholders(leases);
      const text = `UPDATE known_schedules SET lease_until = ? WHERE lease IN (${places})`;
      await engine.rows(text, [leaseUntil, ...leases]);
    },
    /** When the next watched schedule is due; null if none is watched. */
    async nextDue(): Promise<number | null> {
      const text = "SELECT min(due) FROM watches";
      return (await engine.rows(text))[0][0] as number | null;
    },
    /** How many other watches were polled successfully after a time. */
    async othersPolled(scheduleId: number, after: number): Promise<number> {
      const text = "SELECT count(*) FROM watches WHERE schedule_id <> ? AND polled > ?";
      return (await engine.rows(text, [scheduleId, after]))[0][0] as number;
    },
    async othersFail(scheduleId: number): Promise<boolean> {
      const text =
        "SELECT schedule_id FROM watches WHERE failures > 0 AND schedule_id <> ? LIMIT 1";
      return (await engine.rows(text, [scheduleId])).length > 0;
    },
    /** Whether a watch fails without such an incident; one failure since `opened` doesn't count. */
    async anyUnread(codes: readonly string[], opened: number): Promise<boolean> {
      const text = "SELECT schedule_id FROM watches " +
        "WHERE failures > 0 AND (failures > 1 OR failing_since <= ?) AND NOT EXISTS " +
        "(SELECT 1 FROM incidents WHERE incidents.schedule_id = watches.schedule_id " +
        `AND resolved IS NULL AND code IN (${placeholders(codes)})) LIMIT 1`;
      return (await engine.rows(text, [opened, ...codes])).length > 0;
    },
  };
}

/** Makes a schedule, or any for null, due now. Required: it may no longer be watched. */
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

/** Ends a poll. Required: an instance that lost the lease must not write what it read. */
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
  // If the watch became due again meanwhile, it stays due: this poll may have read the service
  // before the change.
  const rest = ", due = CASE WHEN due = ? THEN ? ELSE due END " +
    "WHERE schedule_id = ? AND lease = ? RETURNING schedule_id";
  const values = [dueBefore, due, scheduleId, lease];
  return { ...update("known_schedules", polled, rest, values), required: true };
}
