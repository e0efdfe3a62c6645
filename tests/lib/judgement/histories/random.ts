/** Numbers that look random and are the same each time. */

/** A source of numbers. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from the first through the second. */
  between(low: number, high: number): number;
  /** Normally distributed around 0. */
  normal(): number;
  /** One of several. */
  pick<T>(values: readonly T[]): T;
}

/** A source of numbers that are the same for the same seed. */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: (values) => values[Math.floor(next() * values.length)],
  };
}
