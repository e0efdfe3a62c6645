/** Saves calendars that people enter. */
import { type DaysWithoutRuns, MAX_CALENDAR_DAYS } from "../../lib/calendars/read_calendar.ts";
import { startOfDay } from "../../lib/days.ts";
import { readCalendarFile } from "./judging/judging_questions.ts";
import type { StoredCalendar } from "../store/records/calendars.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { textIssue } from "../http/shape.ts";
import { MAX_CHARACTERS } from "../store/text.ts";
import type { Acting } from "../store/records/events.ts";

/**
 * Saves a calendar; returns its days, or a sentence about what is wrong. A server reads files in a
 * worker, because a long one takes a second.
 */
export async function saveCalendar(
  { calendars }: Pick<ObserverRecords, "calendars">,
  { name: entered, text, scheduleIds }: Pick<StoredCalendar, "name" | "scheduleIds"> & {
    readonly text: string;
  },
  { actor, now }: Acting,
  readFile: (text: string, now: number) => Promise<DaysWithoutRuns | string> = (...file) =>
    Promise.resolve(readCalendarFile(...file)),
): Promise<DaysWithoutRuns | string> {
  const name = entered.trim();
  if (name === "" || name.length > MAX_CHARACTERS.name || textIssue(name)) {
    return `A calendar needs a name of at most ${MAX_CHARACTERS.name} characters`;
  }
  try {
    const isFile = /^\uFEFF?BEGIN:/i.test(text.trimStart());
    const read = isFile ? await readFile(text, now) : { days: readDays(text), skipped: 0 };
    if (typeof read === "string") return read;
    const ids = scheduleIds?.toSorted((a, b) => a - b) ?? null;
    await calendars.save({ name, days: read.days, scheduleIds: ids, changed: now, actor });
    return read;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    // By its name: the built pages have a class of their own.
    if (error instanceof Error && error.name === "JudgingError") {
      return "The calendar took too long to be read: take one with fewer events, or list the days";
    }
    throw error;
  }
}

/** The days in a list such as `2026-12-24, 2026-12-25`. */
function readDays(text: string): readonly string[] {
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
