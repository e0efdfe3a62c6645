/** Calendars: days without runs, such as holidays, that several schedules share. */
import type { Actor } from "../../../lib/actor.ts";
import { judgeAgain } from "./verdicts.ts";
import type { Database, Transaction } from "../database/database.ts";
import { ids, sql, upsert } from "../database/sql.ts";
import { nameKey } from "../text.ts";
import { type Acting, eachWatchChanged } from "./events.ts";
import { commit } from "./transaction_step.ts";

interface StoredCalendar {
  readonly name: string;
  /** Days such as `2026-12-25`, in the zone of each plan. */
  readonly days: readonly string[];
  /** Null for all schedules. */
  readonly scheduleIds: readonly number[] | null;
  readonly changed: number;
  readonly actor: Actor;
}

export function calendarsOn(database: Database) {
  const list = () =>
    database.read<StoredCalendar>(
      sql`SELECT name, days, schedule_ids, changed, actor FROM calendars ORDER BY key`,
    );
  return {
    list: (): Promise<readonly StoredCalendar[]> => list(),
    /** The days without runs of a schedule, in order. */
    async daysFor(scheduleId: number): Promise<readonly string[]> {
      const days = (await list())
        .filter(({ scheduleIds }) => scheduleIds?.includes(scheduleId) ?? true)
        .flatMap((calendar) => calendar.days);
      return [...new Set(days)].sort();
    },
    save: (calendar: StoredCalendar): Promise<void> =>
      database.transaction(async (transaction) => {
        const row = { ...calendar, key: nameKey(calendar.name) };
        await transaction.write(upsert("calendars", [row], ["key"]));
        const { name, scheduleIds, actor, changed } = calendar;
        await record(transaction, `Calendar: ${name}`, scheduleIds, { actor, now: changed });
      }),
    /** Removes a calendar; false if there is none of this name. */
    remove: (name: string, by: Acting): Promise<boolean> =>
      commit(database, [async (transaction) => {
        const { rows: [before] } = await transaction.write<StoredCalendar>(
          sql`DELETE FROM calendars WHERE key = ${nameKey(name)} RETURNING *`,
        );
        if (!before) return false;
        await record(transaction, `Calendar removed: ${before.name}`, before.scheduleIds, by);
      }]),
  };
}

/** Records the change, and lets the watched schedules be judged again. */
async function record(
  transaction: Transaction,
  note: string,
  scheduleIds: readonly number[] | null,
  by: Acting,
): Promise<void> {
  const isConcerned = scheduleIds ? sql`schedule_id IN ${ids(scheduleIds)}` : sql`TRUE`;
  await judgeAgain(transaction, sql`schedule_id IN (SELECT schedule_id FROM watches)`, by.now);
  await eachWatchChanged({ ...by, note }, isConcerned)(transaction);
}
