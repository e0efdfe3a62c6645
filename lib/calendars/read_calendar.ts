/** Reads days without runs, such as holidays, from iCalendar files (RFC 5545). */
import { groupBy } from "../group_by.ts";
import ICAL from "ical.js";
import { formatCountOf } from "../format.ts";
import { addDays, startOfDay } from "../days.ts";

/** The most characters of a file, and the most days that it may name. */
const MAX_CALENDAR_CHARACTERS = 1_000_000;
export const MAX_CALENDAR_DAYS = 5000;
/** An event is at most this long, in days. */
const MAX_LENGTH = 366;
/** How often whole days may come back. */
const FREQUENCIES: readonly string[] = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY"];
const YEARS_AHEAD = 2;

export interface DaysWithoutRuns {
  /** Days such as `2026-12-25`, sorted, each once. */
  readonly days: readonly string[];
  /** How many events or occurrences are no whole days, and so were left out. */
  readonly skipped: number;
}

/**
 * Reads the whole days of an iCalendar file: events of dates, and events from midnight to midnight in
 * whatever zone. Events with times, and those that can't be read, are skipped and counted.
 *
 * @param text The text of the file, such as one of public holidays.
 * @param now Milliseconds since 1970: rules without an end count to two years after it.
 * @returns The days, and how many events were skipped.
 * @throws {RangeError} If the file is no calendar, has no whole day, or too many.
 *
 * @example
 * ```ts
 * import { readCalendar } from "./read_calendar.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const lines = [
 *   "BEGIN:VCALENDAR",
 *   "BEGIN:VEVENT",
 *   "DTSTART;VALUE=DATE:20251225",
 *   "RRULE:FREQ=YEARLY",
 *   "END:VEVENT",
 *   "END:VCALENDAR",
 * ];
 * assertEquals(readCalendar(lines.join("\r\n"), Date.UTC(2025, 0, 1)), {
 *   days: ["2025-12-25", "2026-12-25"],
 *   skipped: 0,
 * });
 * ```
 */
export function readCalendar(text: string, now: number): DaysWithoutRuns {
  if (text.length > MAX_CALENDAR_CHARACTERS) {
    throw new RangeError("A calendar may have at most 1 MB: take one with fewer years");
  }
  const events = parseEvents(text);
  const eventId = (event: ICAL.Component) => String(event.getFirstPropertyValue("uid"));
  // Moved or cancelled occurrences belong to the event with their id, if the file has it.
  const series = new Set(events.filter((event) => !isException(event)).map(eventId));
  const exceptions = groupBy(events.filter(isException), eventId);
  const exceptionDates = (event: ICAL.Component) =>
    isException(event) ? [] : exceptions.get(eventId(event)) ?? [];
  const last = endOfEndless(now);
  const days = new Set<string>();
  let skipped = 0;
  for (const event of events) {
    if (isCancelled(event) || isException(event) && series.has(eventId(event))) continue;
    try {
      for (const span of eventSpans(event, exceptionDates(event), last)) {
        const length = countDays(span);
        if (length === null) skipped++;
        else for (let at = 0; at < length; at++) days.add(addDays(toDay(span.startDate), at));
        if (days.size > MAX_CALENDAR_DAYS) throw new TooManyDays();
      }
    } catch (error) {
      if (error instanceof TooManyDays) throw error;
      // Its start or rule can't be read.
      skipped++;
    }
  }
  if (days.size === 0) {
    const without = skipped > 0 ? `: its events (${skipped}) have times, or can't be read` : "";
    throw new RangeError(`The calendar has no all-day events${without}`);
  }
  return { days: [...days].sort(), skipped };
}

/** What was left out of a calendar, such as `1 event that is no whole day`. */
export function skippedWords(skipped: number): string {
  return formatCountOf(skipped, "event that is no whole day", "events that are no whole days");
}

class TooManyDays extends RangeError {
  constructor() {
    super(`A calendar may name at most ${MAX_CALENDAR_DAYS} days`);
  }
}

/** When an event or one of its occurrences begins and ends; with its own component if it was moved. */
interface Span {
  readonly startDate: ICAL.Time;
  readonly endDate: ICAL.Time;
}

function parseEvents(text: string): readonly ICAL.Component[] {
  const bare = text.replace(/^\uFEFF/, "").trimStart();
  if (!/^BEGIN:VCALENDAR\b/i.test(bare)) {
    throw new RangeError("This is no iCalendar file: it does not begin with BEGIN:VCALENDAR");
  }
  // Some programs leave out that a value is a date.
  const dated = bare.replace(
    /^(DTSTART|DTEND|RDATE|EXDATE|RECURRENCE-ID):(?=\d{8}(,\d{8})*\s*$)/gim,
    "$1;VALUE=DATE:",
  );
  try {
    const parsed = ICAL.parse(dated);
    // A file may have several calendars.
    const calendars: unknown[][] = typeof parsed[0] === "string" ? [parsed] : parsed;
    return calendars.flatMap((each) => new ICAL.Component(each).getAllSubcomponents("vevent"));
  } catch (error) {
    throw new RangeError(`The calendar can't be read: ${(error as Error).message.slice(0, 100)}`);
  }
}

function isException(event: ICAL.Component): boolean {
  return event.hasProperty("recurrence-id");
}

function isCancelled(event: ICAL.Component): boolean {
  return String(event.getFirstPropertyValue("status")).toUpperCase() === "CANCELLED";
}

/** The last day on which rules without an end count. */
function endOfEndless(now: number): string {
  const date = new Date(now);
  date.setUTCFullYear(date.getUTCFullYear() + YEARS_AHEAD);
  return date.toISOString().slice(0, 10);
}

function* eventSpans(
  component: ICAL.Component,
  exceptions: ICAL.Component[],
  last: string,
): Generator<Span> {
  const event = new ICAL.Event(component, { exceptions });
  const rules = component.getAllProperties("rrule")
    .map((rule) => rule.getFirstValue() as ICAL.Recur);
  const isDaily = rules.every(({ freq }) => FREQUENCIES.includes(freq));
  if (!isDaily || !isRealDay(component)) throw new RangeError("It is on no day");
  // A rule for times need not be followed: it may repeat each second.
  if (!event.isRecurring() || countDays(event) === null) {
    yield event;
    return;
  }
  // Without a rule, the library leaves out the start itself.
  if (rules.length === 0) yield event;
  const isEndless = rules.some(({ count, until }) => !count && !until);
  const iterator = event.iterator();
  for (let count = 0, next = iterator.next(); next; next = iterator.next()) {
    if (isEndless && toDay(next) > last) return;
    if (++count > MAX_CALENDAR_DAYS) throw new TooManyDays();
    const occurrence = event.getOccurrenceDetails(next);
    if (!isCancelled(occurrence.item.component)) yield occurrence;
  }
}

/** Whether the first day is in the calendar: the library would read 31 April as 1 May. */
function isRealDay(component: ICAL.Component): boolean {
  const text = String(component.getFirstProperty("dtstart")?.jCal[3]).slice(0, 10);
  return startOfDay(text, "UTC") !== undefined && text >= "1970";
}

/** How many whole days it takes; null if it has times, or is too long. */
function countDays({ startDate, endDate }: Span): number | null {
  const isWhole = (time: ICAL.Time) => time.isDate || time.hour + time.minute + time.second === 0;
  if (!isWhole(startDate) || !isWhole(endDate)) return null;
  const length = (Date.parse(toDay(endDate)) - Date.parse(toDay(startDate))) / 86_400_000;
  // Some programs write the start as the end, for an event of one day.
  const days = startDate.isDate && length === 0 ? 1 : length;
  return days > 0 && days <= MAX_LENGTH ? days : null;
}

function toDay({ year, month, day }: ICAL.Time): string {
  return [String(year).padStart(4, "0"), month, day].map((part) => String(part).padStart(2, "0"))
    .join("-");
}
