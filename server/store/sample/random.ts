/** Random numbers that are the same everywhere for the same seed. */

export type Random = ReturnType<typeof randomFrom>;

/** A generator with a seed (the algorithm mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0;
  /** At least 0, less than 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from `low` to `high`, both included. */
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)],
    chance: (share: number): boolean => next() < share,
  };
}

export function randomUuid(random: Random): string {
  const hex = Array.from({ length: 4 }, () => random.between(0, 2 ** 32 - 1))
    .map((word) => word.toString(16).padStart(8, "0")).join("");
  const variant = "89ab"[random.between(0, 3)];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-` +
    `${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
