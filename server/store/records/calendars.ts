/** Calendars: days without runs, such as holidays, that several schedules share. */
import type { Actor } from "../../../lib/judgement/actor.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { nameKey } from "../text.ts";
import { amongIds } from "../sql.ts";
import { recordsOf, select, upsert } from "./table.ts";
import { type Acting, watchEventForEach } from "./watch_events.ts";

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
      const by = { actor: calendar.actor, now: calendar.changed };
      await engine.transact([
        upsert("calendars", { ...calendar, key: nameKey(calendar.name) }),
        eventsOf(`Calendar: ${calendar.name}`, calendar.scheduleIds, by),
        ...judgeAllAgain(by.now),
      ]);
    },
    async remove(name: string, by: Acting): Promise<boolean> {
      const before = (await list()).find((calendar) => nameKey(calendar.name) === nameKey(name));
      if (!before) return false;
      const text = "DELETE FROM calendars WHERE key = ? RETURNING key";
      const removed = await engine.transact([
        { text, values: [nameKey(name)], required: true },
        eventsOf(`Calendar removed: ${before.name}`, before.scheduleIds, by),
        ...judgeAllAgain(by.now),
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

function eventsOf(
  note: string,
  scheduleIds: readonly number[] | null,
  by: Acting,
): TransactionStep {
  const text = scheduleIds ? `WHERE ${amongIds("schedule_id", scheduleIds)}` : "";
  return watchEventForEach("watch changed", { ...by, note }, { text, values: [] });
}

/** Makes all verdicts outdated; schedules with overdue or missed runs are judged at once. */
function judgeAllAgain(now: number): TransactionStep[] {
  const late = "SELECT schedule_id FROM incidents " +
    "WHERE resolved IS NULL AND code IN ('overdue', 'missed')";
  return [
    { text: "UPDATE verdicts SET holds_until = 0", values: [] },
    {
      text: `UPDATE known_schedules SET due = ? WHERE schedule_id IN (${late})`,
      values: [now],
    },
  ];
}
