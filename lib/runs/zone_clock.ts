/** How a zone's clocks differ from UTC, cached so that millions of times can be converted. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Clocks are checked at this interval: no zone changes them twice within less. */
const LOOK_EVERY = 20 * DAY;

/** A time during which a zone's clocks are ahead of UTC by a constant time. */
export interface ClockSpan {
  /** Its first moment, in milliseconds since 1970. */
  readonly start: number;
  /** The moment after its last. */
  readonly end: number;
  /** How far the clocks are ahead of UTC, in milliseconds. */
  readonly offset: number;
}

/** A zone's clocks. */
export interface ZoneClock {
  /** IANA name of the zone. */
  readonly zone: string;
  /** The spans from one moment to another, without holes; the first and last are cut there. */
  spans(from: number, to: number): ClockSpan[];
  /** What the clocks show at sorted moments, as if that were UTC. */
  toLocal(times: ArrayLike<number>): Float64Array;
}

// Filled as zones are used; there are some hundreds of them.
let clocks: Map<string, ZoneClock> | undefined;

/** The clocks of a zone. Throws a RangeError if there is no such zone. */
export function clockOf(zone: string): ZoneClock {
  clocks ??= new Map();
  let clock = clocks.get(zone);
  if (!clock) {
    clock = makeClock(zone);
    clocks.set(zone, clock);
  }
  return clock;
}

function makeClock(zone: string): ZoneClock {
  const offsetAt = offsetsOf(zone);
  // The changes known so far, between `low` and `high`, and the offset before the first.
  let low = 0;
  let high = 0;
  let changes: number[] = [];
  let offsets: number[] = [];

  const learn = (from: number, to: number) => {
    const begin = Math.floor(from / LOOK_EVERY) * LOOK_EVERY;
    const end = Math.ceil(to / LOOK_EVERY) * LOOK_EVERY;
    if (offsets.length === 0) {
      low = high = begin;
      offsets = [offsetAt(begin)];
    }
    while (high < end) {
      const after = offsetAt(high + LOOK_EVERY);
      if (after !== offsets.at(-1)) {
        changes.push(changeBetween(high, high + LOOK_EVERY));
        offsets.push(after);
      }
      high += LOOK_EVERY;
    }
    const earlier: number[] = [];
    const earlierOffsets: number[] = [];
    let present = offsets[0];
    while (low > begin) {
      const before = offsetAt(low - LOOK_EVERY);
      if (before !== present) {
        earlier.push(changeBetween(low - LOOK_EVERY, low));
        earlierOffsets.push(before);
        present = before;
      }
      low -= LOOK_EVERY;
    }
    changes = [...earlier.reverse(), ...changes];
    offsets = [...earlierOffsets.reverse(), ...offsets];
  };

  /** The moment between two others at which the offset changes. */
  const changeBetween = (from: number, to: number) => {
    const before = offsetAt(from);
    let [below, above] = [from, to];
    while (above - below > 60_000) {
      const middle = below + Math.floor((above - below) / 120_000) * 60_000;
      if (offsetAt(middle) === before) below = middle;
      else above = middle;
    }
    return above;
  };

  const spans = (from: number, to: number) => {
    if (offsets.length === 0 || from < low || to > high) learn(from, to);
    const found: ClockSpan[] = [];
    for (let at = 0; at < offsets.length; at++) {
      const start = at === 0 ? -Infinity : changes[at - 1];
      const end = at === changes.length ? Infinity : changes[at];
      if (end <= from) continue;
      if (start >= to) break;
      found.push({ start: Math.max(start, from), end: Math.min(end, to), offset: offsets[at] });
    }
    return found;
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

/**
 * The platform's formatter of date and time in a zone, to the minute, such as `01/31/2026, 05:30`.
 * It is slow to create.
 */
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

/** A function that asks the platform how far a zone's clocks are ahead of UTC. */
function offsetsOf(zone: string): (time: number) => number {
  if (zone === "UTC") return () => 0;
  const format = clockFormat(zone);
  return (time) => {
    const [, month, day, year, hour, minute] = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+)/.exec(
      format.format(time),
    )!.map(Number);
    return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(time / 60_000) * 60_000;
  };
}
