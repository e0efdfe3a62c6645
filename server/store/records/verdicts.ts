/** The latest verdict on each known schedule. */
import type { Headline } from "../../../lib/judgement/headline.ts";
import type { PlannedRun } from "../../../lib/judgement/judge_schedule.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import type { Reason, ReasonOf } from "../../../lib/judgement/reason.ts";
import type { Database, Transaction } from "../database/database.ts";
import { ids, set, type Sql, sql, upsert } from "../database/sql.ts";
import { type TransactionStep, UNLEASED, write } from "./transaction_step.ts";

export interface StoredVerdict {
  readonly scheduleId: number;
  readonly judged: number;
  /** The verdict can't change before this time unless runs or settings change. */
  readonly holdsUntil: number;
  readonly state: string;
  readonly headline: Headline;
  readonly planSource: "confirmed" | "inferred" | null;
  readonly lastSuccess: number | null;
  readonly nextDue: number | null;
  readonly overdue: number;
  readonly failing: number;
  /** The latest planned runs, and the unplanned ones among them, without the ids of the runs. */
  readonly strip: readonly PlannedRun[];
  /** The same of about a day around `judged`. */
  readonly day: readonly PlannedRun[];
  /** How many people received the last good run; null if that is unknown. */
  readonly people: number | null;
  /** Digests of these people, separated by spaces; some may be left out. */
  readonly reached: string;
  readonly details: VerdictDetails;
}

export interface VerdictDetails {
  readonly reasons: readonly Reason[];
  readonly plan: Plan | null;
  readonly missed: readonly { readonly at: number; readonly id: string }[];
  /** How many planned runs were missed, even if fewer are listed. */
  readonly missedCount: number;
  readonly overdue: readonly { readonly at: number; readonly id: string }[];
  readonly lag: EntryLag;
  /** How long after its grace a planned run may still appear. */
  readonly waitsMs: number;
  /** Until when a single failure may be repaired; null if nothing fails or most are not repaired. */
  readonly repairedBy: number | null;
  /** The start of the oldest run that was judged, by the service's clock; null if there is none. */
  readonly oldest: number | null;
}

export interface EntryLag {
  readonly lag: number | null;
  /** When a late listing was last observed; null for never. */
  readonly observed: number | null;
}

/** The lag of a schedule of which none was observed. */
export const NO_LAG: EntryLag = { lag: null, observed: null };

export interface UnknownVerdict {
  readonly scheduleId: number;
  readonly name: string;
  readonly reason: ReasonOf<"unknown-status">;
}

export function verdictsOn(database: Database) {
  const list = (scheduleIds: readonly number[]): Promise<readonly StoredVerdict[]> =>
    database.read(sql`SELECT * FROM verdicts WHERE schedule_id IN ${ids(scheduleIds)}`);
  return {
    list,
    get: async (scheduleId: number): Promise<StoredVerdict | undefined> =>
      (await list([scheduleId]))[0],
    /** The watched schedules whose newest runs ended with a status that nobody knows. */
    async unknown(): Promise<readonly UnknownVerdict[]> {
      const found = await database.read<
        { scheduleId: number; name: string; details: VerdictDetails }
      >(
        sql`SELECT w.schedule_id, coalesce(nullif(w.name, ''), w.title) AS name, v.details
          FROM watches AS w JOIN verdicts AS v ON v.schedule_id = w.schedule_id
          WHERE v.details LIKE '%"unknown-status"%' ORDER BY w.schedule_id`,
      );
      return found.flatMap(({ scheduleId, name, details }) => {
        const reason = details.reasons.find((reason) => reason.code === "unknown-status");
        return reason ? [{ scheduleId, name: name || `Schedule ${scheduleId}`, reason }] : [];
      });
    },
  };
}

export function putVerdict(verdict: StoredVerdict): TransactionStep {
  return write(upsert("verdicts", [verdict], ["schedule_id"]));
}

/** Makes a schedule due, so that it is judged again. */
export function judgeAgainStep(scheduleId: number | null, now: number): TransactionStep {
  return (transaction) => judgeAgain(transaction, sql`schedule_id = ${scheduleId}`, now);
}

/**
 * Makes the schedules that meet a condition due, so that they are judged again. Polls in progress lose
 * their lease: they judge by what was.
 */
export async function judgeAgain(
  { write }: Pick<Transaction, "write">,
  condition: Sql,
  now: number,
): Promise<void> {
  await write(sql`UPDATE known_schedules SET ${set({ due: now, ...UNLEASED })} WHERE ${condition}`);
  await write(sql`UPDATE verdicts SET holds_until = 0 WHERE ${condition}`);
}
