/** Calendars: days without runs, such as holidays, that schedules share. */
import type { Actor } from "../../../lib/judgement/actor.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { foldCase } from "../text.ts";
import { recordsOf, select, upsert } from "./table.ts";

export interface StoredCalendar {
  readonly name: string;
  /** Days such as `2026-12-25`, in the zone of each plan. */
  readonly days: readonly string[];
  /** Null for all schedules. */
  readonly scheduleIds: readonly number[] | null;
  readonly changed: number;
  readonly actor: Actor;
}

const CALENDARS = recordsOf<StoredCalendar>(
  "calendars",
  "name, days, schedule_ids, changed, actor",
);

export function calendarsOn(engine: Engine) {
  const list = (): Promise<readonly StoredCalendar[]> => select(engine, CALENDARS, "ORDER BY key");
  return {
    list,
    daysFor: async (scheduleId: number) => daysWithoutRuns(await list(), scheduleId),
    async save(calendar: StoredCalendar): Promise<void> {
      const keyed = { ...calendar, key: keyOf(calendar.name) };
      await engine.transact([upsert("calendars", keyed), ...judgeAgain(calendar.changed)]);
    },
    async remove(name: string, now: number): Promise<boolean> {
      const text = "DELETE FROM calendars WHERE key = ? RETURNING key";
      const removed = await engine.transact([
        { text, values: [keyOf(name)], required: true },
        ...judgeAgain(now),
      ]);
      return removed !== null;
    },
  };
}

export function daysWithoutRuns(
  calendars: readonly Pick<StoredCalendar, "days" | "scheduleIds">[],
  scheduleId: number,
): readonly string[] {
  const days = calendars
    .filter(({ scheduleIds }) => scheduleIds?.includes(scheduleId) ?? true)
    .flatMap((calendar) => calendar.days);
  return [...new Set(days)].sort();
}

function keyOf(name: string): string {
  return foldCase(name.trim());
}

/** No verdict holds any more; what is overdue is judged at once. */
function judgeAgain(now: number): TransactionStep[] {
  const overdue = "SELECT schedule_id FROM incidents WHERE resolved IS NULL AND code = 'overdue'";
  return [
    { text: "UPDATE verdicts SET holds_until = 0", values: [] },
    {
      text: `UPDATE known_schedules SET due = ? WHERE schedule_id IN (${overdue})`,
      values: [now],
    },
  ];
}
