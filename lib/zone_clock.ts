/** The offsets of a zone's clocks from UTC, cached so that millions of times can be converted. */
import { cachedIn } from "./cached.ts";
import { DAY, MINUTE } from "./time_units.ts";

/** Clocks are checked at this interval, in which no zone changes them twice. */
const CHECK_EVERY = 20 * DAY;

/** A span of time in which a zone's offset from UTC is constant. */
interface ClockSpan {
  readonly start: number;
  readonly end: number;
  /** How far the clocks are ahead of UTC, in milliseconds. */
  readonly offset: number;
}

export interface ZoneClock {
  readonly zone: string;
  /** The spans that together cover the time from one moment to another. */
  spans(from: number, to: number): ClockSpan[];
  /** What the clocks show at sorted moments, converted as if it were UTC. */
  toLocal(times: ArrayLike<number>): Float64Array;
}

/** Zones come with requests, in any spelling, so the number of cached clocks is bounded. */
const MAX_CLOCKS = 500;
let clocks: Map<string, ZoneClock> | undefined;

/** The clocks of a zone. Throws a RangeError if there is no such zone. */
export function clockOf(zone: string): ZoneClock {
  clocks ??= new Map();
  return cachedIn(clocks, MAX_CLOCKS, zone, makeClock);
}

function makeClock(zone: string): ZoneClock {
  const offsetAt = createOffsets(zone);
  const intervals = new Map<number, { readonly offset: number; readonly change: number }>();

  /** An interval: the offset at its start, and when the offset changes, or Infinity. */
  const intervalAt = (index: number) => {
    let interval = intervals.get(index);
    if (!interval) {
      const [from, to] = [index * CHECK_EVERY, (index + 1) * CHECK_EVERY];
      const offset = offsetAt(from);
      const change = offsetAt(to) === offset
        ? Infinity
        : firstMinute(from, to, (time) => offsetAt(time) !== offset);
      interval = { offset, change };
      intervals.set(index, interval);
    }
    return interval;
  };

  const spans = (from: number, to: number) => {
    const found: ClockSpan[] = [];
    let start = from;
    let index = Math.floor(from / CHECK_EVERY);
    for (; index * CHECK_EVERY < to; index++) {
      const { offset, change } = intervalAt(index);
      if (change <= from || change >= to) continue;
      found.push({ start, end: change, offset });
      start = change;
    }
    const last = intervalAt(index - 1);
    const { offset } = last.change < to ? intervalAt(index) : last;
    return [...found, { start, end: to, offset }];
  };

  return {
    zone,
    spans,
    toLocal(times) {
      const local = new Float64Array(times.length);
      if (times.length === 0) return local;
      const known = spans(times[0], times[times.length - 1] + 1);
      let at = 0;
      for (let index = 0; index < times.length; index++) {
        while (times[index] >= known[at].end) at++;
        local[index] = times[index] + known[at].offset;
      }
      return local;
    },
  };
}

/** The first minute after `from` at which a condition holds; from then on it must hold. */
function firstMinute(from: number, to: number, isTrue: (time: number) => boolean): number {
  let [before, after] = [from, to];
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / MINUTE / 2) * MINUTE;
    if (isTrue(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** The moment when the clocks of a zone first show a local time, which is given as if in UTC. */
export function momentOf(local: number, zone: string): number {
  if (zone === "UTC") return local;
  const spans = clockOf(zone).spans(local - DAY, local + DAY);
  const shown = spans.find(({ start, end, offset }) =>
    local - offset >= start && local - offset < end
  );
  // A time that the clocks skip is read with the offset before the change.
  return local - (shown ?? spans[0]).offset;
}

/** A formatter of times in a zone, as `01/31/2026, 05:30`; slow to make. */
export function clockFormat(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** Returns a function that computes how far a zone's clocks are ahead of UTC. */
function createOffsets(zone: string): (time: number) => number {
  if (zone === "UTC") return () => 0;
  const format = clockFormat(zone);
  return (time) => {
    const [, month, day, year, hour, minute] = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+)/.exec(
      format.format(time),
    )!.map(Number);
    return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(time / MINUTE) * MINUTE;
  };
}
