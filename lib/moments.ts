/** Times in words, the same on pages, in messages and in the terminal. */
import { cachedIn } from "./cached.ts";
import { addDays } from "./days.ts";
import { clockFormat } from "./zone_clock.ts";

/** Zones come with requests, in any spelling, so the cache is bounded. */
const MAX_FORMATS = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

/** A date-time, or milliseconds since 1970, in a zone and to the minute; other texts unchanged. */
export function formatMoment(at: string | number, zone: string): string {
  const text = typeof at === "string" ? at : new Date(at).toISOString();
  const time = Date.parse(text);
  if (Number.isNaN(time)) return text;
  if (zone === "UTC") return new Date(time).toISOString().slice(0, 16).replace("T", " ");
  const parts: Record<string, string> = {};
  // Formatters are slow to make.
  const format = cachedIn(formats, MAX_FORMATS, zone, clockFormat);
  for (const { type, value } of format.formatToParts(time)) parts[type] = value;
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}`;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** A date such as `15 Nov`, with the year if it is another one than that of `today`. */
export function formatDay(date: string, today = date): string {
  const [year, month, day] = date.slice(0, 10).split("-");
  const ofYear = year === today.slice(0, 4) ? "" : ` ${year}`;
  return `${Number(day)} ${MONTHS[Number(month) - 1]}${ofYear}`;
}

const DAY_FORMAT = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" } as const;
const WEEKDAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

/** A time in the reader's zone: `today 05:00`, `tomorrow 05:00`, or `Sun 15 Nov 05:00`. */
export function formatWhen(at: number, now: number, zone: string): string {
  return wordsIn(zone, now)(at);
}

/**
 * {@linkcode formatWhen} for many times, with the present formatted once. Without the present, each
 * time is as `Sun 15 Nov 05:00`, with the year if it is not that in which the text is `written`. A
 * locale, such as `de`, writes the days its own way.
 */
export function wordsIn(
  zone: string,
  now?: number,
  locale?: string,
  written: number | undefined = now,
): (at: number) => string {
  const today = written === undefined ? undefined : formatMoment(written, zone);
  const near = new Map<string, string>();
  if (today !== undefined && now !== undefined) {
    const present = today.slice(0, 10);
    near.set(present, "today").set(addDays(present, 1), "tomorrow");
    near.set(addDays(present, -1), "yesterday");
  }
  return (at) => {
    const text = formatMoment(at, zone);
    const [day, clock] = text.split(" ");
    // 9999-12-31T23:59:59Z, which may stand for never, is in the year 10000 east of London.
    if (day.length > "9999-12-31".length) return text;
    const name = near.get(day) ??
      (locale === undefined
        ? `${WEEKDAYS[new Date(day).getUTCDay()]} ${formatDay(day, today)}`
        : new Date(day).toLocaleDateString(locale, {
          ...DAY_FORMAT,
          ...today !== undefined && !today.startsWith(day.slice(0, 4)) && { year: "numeric" },
        }));
    return `${name} ${clock}`;
  };
}

/** {@linkcode wordsIn} for texts that stand alone: without the present, UTC is named. */
export function momentsIn(...when: Parameters<typeof wordsIn>): (at: number) => string {
  const [zone, now] = when;
  const words = wordsIn(...when);
  return zone === "UTC" && now === undefined ? (at) => `${words(at)} UTC` : words;
}
