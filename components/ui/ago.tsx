import { addDays } from "../../lib/days.ts";
import { formatCountOf } from "../../lib/format.ts";
import { useContext } from "preact/hooks";
import { formatMoment, formatZone, Zone } from "./zone.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS = [
  { ms: DAY, from: 2 * DAY, one: "day", many: "days" },
  { ms: HOUR, from: HOUR, one: "h", many: "h" },
  { ms: MINUTE, from: MINUTE, one: "min", many: "min" },
  { ms: SECOND, from: 0, one: "s", many: "s" },
] as const;

/** A span of time in its largest unit, rounded down, such as `8 days` or `5 h`. */
export function formatSpan(ms: number): string {
  const span = Math.abs(ms);
  const unit = UNITS.find(({ from }) => span >= from)!;
  return formatCountOf(Math.floor(span / unit.ms), unit.one, unit.many);
}

/** A time relative to the present, such as `8 days ago` or `in 5 h`. */
export function formatAgo(time: number, now: number): string {
  return time > now ? `in ${formatSpan(time - now)}` : `${formatSpan(now - time)} ago`;
}

/** A time relative to the present; exact in the reader's zone on hover. */
export function Ago({ at, now }: {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
}) {
  return <Exact at={at}>{formatAgo(at, now)}</Exact>;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** The day of a time, such as `15 Nov`, with its year unless that is the present one. */
export function Day({ at, now }: { readonly at: number; readonly now: number }) {
  const zone = useContext(Zone);
  const [year, month, day] = datePartsOf(at, zone);
  const isThisYear = year === datePartsOf(now, zone)[0];
  const text = `${Number(day)} ${MONTHS[Number(month) - 1]}${isThisYear ? "" : ` ${year}`}`;
  return <Exact at={at}>{text}</Exact>;
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

function datePartsOf(at: number, zone: string): string[] {
  return formatMoment(at, zone).slice(0, 10).split("-");
}

/** A time soon: its clock time, with the day unless that is today. */
export function Soon({ at, now }: { readonly at: number; readonly now: number }) {
  const zone = useContext(Zone);
  const clock = formatMoment(at, zone).slice(11);
  const today = formatMoment(now, zone).slice(0, 10);
  const day = formatMoment(at, zone).slice(0, 10);
  if (day === today) return <Exact at={at}>{clock}</Exact>;
  if (day === addDays(today, 1)) return <Exact at={at}>{`tomorrow ${clock}`}</Exact>;
  return (
    <>
      <Day at={at} now={now} /> {clock}
    </>
  );
}
