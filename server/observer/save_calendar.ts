/** Saves calendars that people enter. */
import { MAX_CALENDAR_DAYS, readCalendar } from "../../lib/judgement/plans/calendar.ts";
import { startOfDay } from "../../lib/days.ts";
import type { StoredCalendar } from "../store/observer/calendars.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import { MAX_CHARACTERS, textIssue } from "../store/text.ts";
import type { Acting } from "../store/observer/watch_events.ts";

/** Saves a calendar; returns its days, or a sentence about what is wrong. */
export async function saveCalendar(
  { calendars }: Pick<ObserverRecords, "calendars">,
  { name: entered, text, scheduleIds }: Pick<StoredCalendar, "name" | "scheduleIds"> & {
    readonly text: string;
  },
  { actor, now }: Acting,
): Promise<readonly string[] | string> {
  const name = entered.trim();
  if (name === "" || name.length > MAX_CHARACTERS.name || textIssue(name)) {
    return `A calendar needs a name of at most ${MAX_CHARACTERS.name} characters`;
  }
  try {
    const days = readDays(text);
    const ids = scheduleIds?.toSorted((a, b) => a - b) ?? null;
    await calendars.save({ name, days, scheduleIds: ids, changed: now, actor });
    return days;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** The days in an iCalendar file, or in a list such as `2026-12-24, 2026-12-25`. */
function readDays(text: string): readonly string[] {
  if (/^\uFEFF?BEGIN:/i.test(text.trimStart())) return readCalendar(text.trimStart());
  const days = [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ""))].sort();
  const wrong = days.find((day) => startOfDay(day, "UTC") === undefined);
  if (wrong !== undefined || days.length === 0 || days.length > MAX_CALENDAR_DAYS) {
    throw new RangeError(
      `Enter at most ${MAX_CALENDAR_DAYS} days such as 2026-12-24, separated by commas` +
        (wrong === undefined ? "" : `: "${wrong.slice(0, 20)}" is not a day`),
    );
  }
  return days;
}
