import { useContext } from "preact/hooks";
import { SECOND } from "../../lib/time_units.ts";
import { timeText } from "../../lib/format.ts";
import { formatDay, formatMoment, formatWhen, wordsIn } from "../../lib/moments.ts";
import { type ComponentChildren, createContext } from "preact";

/** A date-time, or milliseconds since 1970. */
type Time = string | number | null | undefined;

/**
 * A service's time, in these words; other texts unchanged. A component would be
 * slow in the cells of long tables.
 */
export function timeElement(at: Time, words: (time: number) => string) {
  if (!at) return MISSING;
  const exact = typeof at === "string" ? at.replace(".000Z", "Z") : timeText(at);
  const time = Date.parse(exact);
  return <time dateTime={exact} title={exact}>{Number.isNaN(time) ? exact : words(time)}</time>;
}

export const MISSING = (
  <span class="missing">
    <span aria-hidden="true">–</span>
    <span class="unseen">none</span>
  </span>
);

/** A name and its value in a `dl`. A missing value is a dash. */
export function Fact({ name, children }: {
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const isMissing = children === null || children === undefined || children === "";
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isMissing ? MISSING : children}</dd>
    </div>
  );
}

/** A span of time, such as `8 days`, `12 h`, `1 h 43 min` or `20 s`; from two hours on rounded. */
export function formatSpan(ms: number): string {
  const seconds = Math.floor(Math.abs(ms) / SECOND);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 2) return `${hours} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ""}`;
  return hours < 48 ? `${Math.round(minutes / 60)} h` : `${Math.floor(hours / 24)} days`;
}

/** A time relative to the present, such as `8 days ago` or `in 5 h`. */
export function formatAgo(time: number, now: number): string {
  return time > now ? `in ${formatSpan(time - now)}` : `${formatSpan(now - time)} ago`;
}

export function Ago({ at }: { readonly at: number }) {
  return <Exact at={at}>{formatAgo(at, useContext(Now))}</Exact>;
}

/** The day of a time, such as `15 Nov`, with the year if it is another one. */
export function Day({ at }: { readonly at: number }) {
  const { now, zone } = useMoment();
  return <Exact at={at}>{formatDay(formatMoment(at, zone), formatMoment(now, zone))}</Exact>;
}

/** A note. Docket writes times in notes in UTC; pages show them as all others, in the reader's zone. */
export function NoteWords({ note }: { readonly note: string }) {
  const { now, zone } = useMoment();
  const words = wordsIn(zone, now);
  const shown = (text: string) => {
    const time = Date.parse(text);
    return Number.isNaN(time) ? text : words(time);
  };
  return <>{note.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, shown)}</>;
}

/** A date such as `2026-11-15` in the words of {@linkcode Day}. */
export function CalendarDay({ date }: { readonly date: string }) {
  const { now, zone } = useMoment();
  return <time dateTime={date}>{formatDay(date, formatMoment(now, zone))}</time>;
}

function Exact({ at, children }: { readonly at: number; readonly children: string }) {
  const zone = useContext(Zone);
  const text = new Date(at).toISOString();
  return (
    <time dateTime={text} title={`${formatMoment(text, zone)} ${formatZone(zone)}`}>
      {children}
    </time>
  );
}

/**
 * A time such as `today 05:00`, exact on hover; with its distance where people decide by it. The
 * end of the page names the zone.
 */
export function When({ at, hasDistance = false }: {
  readonly at: number | null | undefined;
  readonly hasDistance?: boolean;
}) {
  const { now, zone } = useMoment();
  if (!at) return MISSING;
  return (
    <>
      <Exact at={at}>{formatWhen(at, now, zone)}</Exact>
      {hasDistance && [", ", <span key="distance" class="help">{formatAgo(at, now)}</span>]}
    </>
  );
}

/** What stands before the next run. Where it could not be read since, that is past. */
export function nextRunWords(next: number, now: number): string {
  return next > now ? "Next run" : "Was due";
}

/** The zone that components show times in. An island has to provide it again. */
export const Zone = createContext("UTC");

/** When the page is shown, in milliseconds since 1970: `3 h ago` is counted from it. */
export const Now = createContext(0);

/** When the page is shown, and in which zone. */
export function useMoment(): { readonly now: number; readonly zone: string } {
  return { now: useContext(Now), zone: useContext(Zone) };
}

/** A short name for a zone, such as `New York time` or `UTC`. */
export function formatZone(zone: string): string {
  return zone === "UTC" ? "UTC" : `${zone.split("/").at(-1)?.replaceAll("_", " ")} time`;
}
