/** Saves and removes calendars: days without runs. */
import { type DaysWithoutRuns, MAX_CALENDAR_DAYS } from "../../lib/calendars/read_calendar.ts";
import { startOfDay } from "../../lib/days.ts";
import { throwIfInvalid, type ValidationIssue } from "../http/problem.ts";
import type { Acting } from "../store/records/events.ts";
import type { ActionServices } from "./action_services.ts";
import { nameIssue, readKnownIds } from "./save_owner.ts";

interface CalendarChange {
  readonly name: string;
  /** Days such as `2026-12-24, 2026-12-25`, or the text of an iCalendar file. */
  readonly days: string;
  /** Empty for all schedules. */
  readonly scheduleIds?: string | readonly number[];
}

/**
 * Saves a calendar, or replaces one of this name, and returns its days. The schedules are judged again.
 *
 * @throws {ProblemError} With the pointers `/name`, `/days` and `/scheduleIds`
 */
export async function saveCalendar(
  { records, judging }: Pick<ActionServices, "records" | "judging">,
  { name: entered, days: text, scheduleIds = [] }: CalendarChange,
  { actor, now }: Acting,
): Promise<DaysWithoutRuns> {
  const issues: ValidationIssue[] = [];
  const name = entered.trim();
  const wrong = nameIssue(name);
  if (wrong) issues.push({ pointer: "/name", detail: wrong });
  const { ids, issue } = await readKnownIds(records.watches, scheduleIds);
  if (issue) issues.push({ pointer: "/scheduleIds", detail: issue });
  const read = await readText(text, now, judging);
  if (typeof read === "string") issues.push({ pointer: "/days", detail: read });
  throwIfInvalid(issues);
  const saved = read as DaysWithoutRuns;
  await records.calendars.save({
    name,
    days: saved.days,
    scheduleIds: ids.length > 0 ? ids.toSorted((a, b) => a - b) : null,
    changed: now,
    actor,
  });
  return saved;
}

/** Removes a calendar; false if there is none of this name. */
export function removeCalendar(
  { records }: Pick<ActionServices, "records">,
  name: string,
  acting: Acting,
): Promise<boolean> {
  return records.calendars.remove(name, acting);
}

/** The days in a text, or what is wrong with it. A file is read in a worker: it may take a second. */
async function readText(
  text: string,
  now: number,
  judging: ActionServices["judging"],
): Promise<DaysWithoutRuns | string> {
  try {
    const isFile = /^\uFEFF?BEGIN:/i.test(text.trimStart());
    return isFile
      ? await judging.readCalendarFile(text, now)
      : { days: readTypedDays(text), skipped: 0 };
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
function readTypedDays(text: string): readonly string[] {
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
