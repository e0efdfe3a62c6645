/** The service's clock: the median of its latest answers, so that one wrong answer changes nothing. */

const ANSWERS = 9;
/** Until this many answers are known, the service's clock is assumed to be right. */
const FEWEST = 3;
/** An answer whose time is further from the clock is not believed, and a clock that is reported. */
export const CLOCK_OFF_MS = 60_000;

export interface ServiceClock {
  /** How far the service's clock is ahead of ours, in milliseconds; null if unknown. */
  offset(): number | null;
  /** The offsets of the latest answers, oldest first: other instances start with them. */
  latest(): readonly number[];
  /** Starts with offsets that another instance found, unless some are known. */
  startWith(offsets: readonly number[]): void;
}

/** A clock set by answers; `hear` returns false for an answer whose time is wrong. */
export function createServiceClock(): ServiceClock & { hear(offset: number): boolean } {
  let latest: readonly number[] = [];
  return {
    offset: () => latest.length === 0 ? null : medianOf(latest),
    latest: () => latest,
    startWith(offsets) {
      if (latest.length === 0) latest = offsets.slice(-ANSWERS);
    },
    hear(offset) {
      const clock = latest.length < FEWEST ? 0 : medianOf(latest);
      // Also if it is wrong: when most answers agree with it, the clock was changed.
      latest = [...latest, offset].slice(-ANSWERS);
      return Math.abs(offset - clock) <= CLOCK_OFF_MS;
    },
  };
}

/** The median; of two in the middle, the one closer to zero. */
function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return Math.abs(low) <= Math.abs(high) ? low : high;
}
