/** Reads days without runs, such as holidays, from iCalendar files (RFC 5545). */
import { addDays, startOfDay } from "../../days.ts";
import type { Pause } from "../slots.ts";

/** The most characters of a file, and the most days that it may name. */
const MAX_CALENDAR_CHARACTERS = 1_000_000;
export const MAX_CALENDAR_DAYS = 5000;

/** A line of an event, such as `DTSTART;VALUE=DATE:20261225`. */
interface Line {
  readonly number: number;
  readonly name: string;
  readonly value: string;
}

type EventLines = ReadonlyMap<string, readonly Line[]>;

/**
 * Reads the days of an iCalendar file. It may have all-day events of one or several days, and events
 * that repeat each year on the same date until a given end.
 *
 * @param text The text of the file, such as one of public holidays.
 * @returns Days such as `2026-12-25`, sorted, each once.
 * @throws {RangeError} If the file has other events, or too many. The message names the line.
 *
 * @example
 * ```ts
 * import { readCalendar } from "./calendar.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const lines = [
 *   "BEGIN:VCALENDAR",
 *   "BEGIN:VEVENT",
 *   "DTSTART;VALUE=DATE:20251225",
 *   "RRULE:FREQ=YEARLY;UNTIL=20261231",
 *   "END:VEVENT",
 *   "END:VCALENDAR",
 * ];
 * assertEquals(readCalendar(lines.join("\r\n")), ["2025-12-25", "2026-12-25"]);
 * ```
 */
export function readCalendar(text: string): readonly string[] {
  if (text.length > MAX_CALENDAR_CHARACTERS) {
    throw new RangeError("A calendar may have at most 1 MB: take one with fewer years");
  }
  const days = new Set<string>();
  for (const event of eventsIn(text)) {
    for (const day of daysOf(event)) {
      days.add(day);
      if (days.size > MAX_CALENDAR_DAYS) {
        throw new RangeError(`A calendar may name at most ${MAX_CALENDAR_DAYS} days`);
      }
    }
  }
  if (days.size === 0) throw new RangeError("The calendar has no all-day events");
  return [...days].sort();
}

/** The result of the last call, because a replay needs the same days at each moment. */
let latest: { readonly days: readonly string[]; readonly zone: string; spans: Pause[] } | undefined;

export function spansOfDays(days: readonly string[], zone: string): readonly Pause[] {
  if (days.length === 0) return [];
  if (latest?.days !== days || latest.zone !== zone) {
    const spans = days.map((day) => ({
      from: startOfDay(day, zone)!,
      to: startOfDay(addDays(day, 1), zone)!,
    }));
    latest = { days, zone, spans };
  }
  return latest.spans;
}

function* eventsIn(text: string): Generator<EventLines> {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  if (lines[0]?.trim().toUpperCase() !== "BEGIN:VCALENDAR") {
    throw new RangeError("This is no iCalendar file: it does not begin with BEGIN:VCALENDAR");
  }
  /** The components that are open: the lines of an event's alarm don't belong to the event. */
  const open: string[] = [];
  let event = new Map<string, Line[]>();
  for (let at = 0; at < lines.length; at++) {
    const number = at + 1;
    let line = lines[at];
    while (/^[ \t]/.test(lines[at + 1] ?? "")) line += lines[++at].slice(1);
    const [, name = "", value = ""] = /^([A-Za-z-]+)[^:]*:(.*)$/.exec(line) ?? [];
    const upper = name.toUpperCase();
    if (upper === "BEGIN") {
      open.push(value.toUpperCase());
      if (value.toUpperCase() === "VEVENT") event = new Map();
    } else if (upper === "END") {
      if (open.pop() !== value.toUpperCase()) {
        throw new RangeError(`Line ${number} of the calendar ends what did not begin`);
      }
      if (value.toUpperCase() === "VEVENT") yield event;
    } else if (open.at(-1) === "VEVENT") {
      event.set(upper, [...event.get(upper) ?? [], { number, name: upper, value }]);
    }
  }
  if (open.length > 0) throw new RangeError("The calendar is cut off: its end is missing");
}

function* daysOf(event: EventLines): Generator<string> {
  if (event.get("STATUS")?.[0].value.toUpperCase() === "CANCELLED") return;
  const [moved] = event.get("RECURRENCE-ID") ?? [];
  if (moved) throw issue(moved, "moves one day of a rule: list such days by themselves");
  const [start] = event.get("DTSTART") ?? [];
  if (!start) throw new RangeError("An event of the calendar has no start (DTSTART)");
  const first = readDay(start);
  const length = lengthOf(event, first);
  const [rule] = event.get("RRULE") ?? [];
  const excluded = new Set((event.get("EXDATE") ?? []).flatMap(readDays));
  const starts = [
    ...rule ? startsOf(rule, first) : [first],
    ...(event.get("RDATE") ?? []).flatMap(readDays),
  ].filter((day) => !excluded.has(day));
  for (const day of starts) {
    for (let at = 0; at < length; at++) yield addDays(day, at);
  }
}

function lengthOf(event: EventLines, first: string): number {
  const [end] = event.get("DTEND") ?? [];
  const [duration] = event.get("DURATION") ?? [];
  const [, count, unit] = /^P(\d{1,3})([DW])$/.exec(duration?.value ?? "") ?? [];
  if (duration && !count) throw issue(duration, "must be a number of days such as P1D");
  const length = end
    ? (Date.parse(readDay(end)) - Date.parse(first)) / 86_400_000
    : Number(count ?? 1) * (unit === "W" ? 7 : 1);
  // Some programs write the start as the end, for an event of one day.
  if (length < 0 || length > 366) {
    throw issue(end ?? duration, "must be within a year of the start");
  }
  return Math.max(1, length);
}

/** The first days of an event that repeats each year. */
function* startsOf(rule: Line, first: string): Generator<string> {
  const parts = new Map(
    rule.value.toUpperCase().split(";").map((part) => {
      const [name, value = ""] = part.split("=");
      return [name, value] as const;
    }),
  );
  const [year, month, day] = first.split("-").map(Number);
  const known: Readonly<Record<string, (value: string) => boolean>> = {
    FREQ: (value) => value === "YEARLY",
    BYMONTH: (value) => Number(value) === month,
    BYMONTHDAY: (value) => Number(value) === day,
    INTERVAL: (value) => /^[1-9]\d?$/.test(value),
    COUNT: (value) => /^[1-9]\d{0,2}$/.test(value),
    UNTIL: (value) => /^\d{8}/.test(value),
    WKST: () => true,
  };
  const unknown = [...parts].find(([name, value]) => !known[name]?.(value));
  if (unknown || !parts.has("FREQ")) {
    const part = unknown?.join("=") ?? "no FREQ";
    throw issue(rule, `has ${part}: only yearly rules on one date are read; list the days instead`);
  }
  if (!parts.has("COUNT") && !parts.has("UNTIL")) {
    throw issue(rule, "never ends: add UNTIL or COUNT to it, such as UNTIL=20351231");
  }
  const until = parts.get("UNTIL")?.slice(0, 8);
  const last = until ? readDay({ ...rule, value: until }) : "9999";
  const every = Number(parts.get("INTERVAL") ?? 1);
  let count = Number(parts.get("COUNT") ?? Infinity);
  for (let at = year; count > 0 && at <= Number(last.slice(0, 4)); at += every) {
    const next = `${String(at).padStart(4, "0")}${first.slice(4)}`;
    // 29 February exists only in leap years.
    if (startOfDay(next, "UTC") === undefined) continue;
    if (next > last) return;
    count--;
    yield next;
  }
}

function readDays(line: Line): string[] {
  return line.value.split(",").map((value) => readDay({ ...line, value }));
}

function readDay(line: Line): string {
  const day = line.value.trim().replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
  if (startOfDay(day, "UTC") !== undefined && Number(day.slice(0, 4)) >= 1970) return day;
  throw issue(line, "must be a whole day from 1970 on, such as 20261225, without a time");
}

function issue({ number, name }: Line, problem: string): RangeError {
  return new RangeError(`Line ${number} of the calendar: ${name} ${problem}`);
}
