/** The looks at watched schedules: whose turn it is, who looks, and what came of it. */
import type { Engine, TransactionStep } from "../engine.ts";
import { placeholders } from "../sql.ts";
import { update } from "./table.ts";
import type { LeasedWatch } from "./types.ts";
import { WATCHES } from "./watches.ts";

/** The most looks at once, of all instances together: each is one request in flight. */
export const MAX_POLLS = 8;

export type PollOutcome =
  | { readonly polled: number; readonly title?: string }
  | { readonly failed: number; readonly failure: string };

export function pollsOn(engine: Engine) {
  return {
    async makeDue(scheduleId: number, now: number): Promise<void> {
      const { text, values } = dueNow(scheduleId, now);
      await engine.rows(text, values);
    },
    /** Whether something is due that nobody looks at: a read holds up nobody, as to claim does. */
    async anyDue(now: number): Promise<boolean> {
      const text = "SELECT schedule_id FROM watches WHERE due <= ? " +
        "AND (lease_until IS NULL OR lease_until <= ?) ORDER BY due LIMIT 1";
      return (await engine.rows(text, [now, now])).length > 0;
    },
    /** Takes what is due, never more than {@linkcode MAX_POLLS} at once with all other instances. */
    async claim(holder: string, now: number, leaseUntil: number): Promise<readonly LeasedWatch[]> {
      const claimed = await engine.transact([
        // One instance at a time, or two would both count the looks of the other as free places.
        {
          text: "INSERT INTO observer_values VALUES ('claims', 1, '') " +
            "ON CONFLICT (name) DO UPDATE SET number = observer_values.number + 1",
          values: [],
        },
        {
          text: "WITH free AS MATERIALIZED (SELECT schedule_id AS free_id FROM watches " +
            "WHERE due <= ? AND (lease_until IS NULL OR lease_until <= ?) ORDER BY due " +
            `LIMIT (SELECT CASE WHEN count(*) < ${MAX_POLLS} THEN ${MAX_POLLS} - count(*) ` +
            "ELSE 0 END FROM watches WHERE lease_until > ?) FOR UPDATE SKIP LOCKED) " +
            "UPDATE watches SET lease = ?, lease_until = ? FROM free " +
            `WHERE schedule_id = free_id RETURNING ${WATCHES.columns}`,
          values: [now, now, now, holder, leaseUntil],
        },
      ]);
      return (claimed?.[1] ?? []).map((row) => ({ ...WATCHES.fromRow(row), lease: holder }));
    },
    /** Keeps leases for longer, while their looks go on. */
    async renew(leases: readonly string[], leaseUntil: number): Promise<void> {
      if (leases.length === 0) return;
      const places = placeholders(leases);
      const text = `UPDATE watches SET lease_until = ? WHERE lease IN (${places})`;
      await engine.rows(text, [leaseUntil, ...leases]);
    },
    /** When the next watch is due; null without any. */
    async nextDue(): Promise<number | null> {
      const text = "SELECT min(due) FROM watches";
      return (await engine.rows(text))[0][0] as number | null;
    },
    /** How many other watches were looked at with success after that moment. */
    async othersPolled(scheduleId: number, after: number): Promise<number> {
      const text = "SELECT count(*) FROM watches WHERE schedule_id <> ? AND polled > ?";
      return (await engine.rows(text, [scheduleId, after]))[0][0] as number;
    },
  };
}

/** Has a schedule looked at now, or any for null; required, because it may be watched no longer. */
export function dueNow(scheduleId: number | null, now: number): TransactionStep {
  const which = scheduleId === null
    ? "(SELECT schedule_id FROM watches ORDER BY failures, schedule_id LIMIT 1)"
    : "?";
  return {
    text: `UPDATE watches SET due = ? WHERE schedule_id = ${which} RETURNING schedule_id`,
    values: scheduleId === null ? [now] : [now, scheduleId],
    required: true,
  };
}

/** Ends a look: required, because who lost the lease must not write what it saw. */
export function endOfPoll(
  { scheduleId, lease, failures, failingSince, due: dueBefore }: LeasedWatch,
  outcome: PollOutcome,
  due: number,
): TransactionStep {
  const columns = WATCHES.toColumns({
    ..."polled" in outcome ? { ...outcome, failures: 0, failingSince: null, failure: null } : {
      failures: failures + 1,
      failingSince: failingSince ?? outcome.failed,
      failure: outcome.failure,
    },
  });
  const unleased = { ...columns, lease: null, lease_until: null };
  // If somebody asked for a look meanwhile, there is another one: this one may have read before
  // their change.
  const rest = ", due = CASE WHEN due = ? THEN ? ELSE due END " +
    "WHERE schedule_id = ? AND lease = ? RETURNING schedule_id";
  const values = [dueBefore, due, scheduleId, lease];
  return { ...update("watches", unleased, rest, values), required: true };
}
