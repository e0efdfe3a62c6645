/**
 * Whether runs show any pattern that a plan could explain. This check is much cheaper than a search
 * for the plan.
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Fewer runs show no pattern. */
const FEWEST = 24;
/** Gaps between random runs deviate by about their mean; those of a plan by much less. */
const MOST_DEVIATION = 0.5;
/** Periods of plans, each with its number of parts, and what chance exceeds once in fifty times. */
const PERIODS = [
  { length: MINUTE, parts: 10, most: 19.7 },
  { length: 5 * MINUTE, parts: 10, most: 19.7 },
  { length: HOUR, parts: 12, most: 22.6 },
  { length: 24 * HOUR, parts: 24, most: 38.9 },
  { length: 7 * 24 * HOUR, parts: 28, most: 44.1 },
] as const;

/**
 * Whether runs may follow a plan, as far as one can tell without a search.
 *
 * @param times When the runs started, sorted.
 */
export function mayBePlanned(times: Float64Array): boolean {
  return times.length < FEWEST || isEven(times) ||
    PERIODS.some(({ length, parts, most }) => unevenness(times, length, parts) > most);
}

/** Whether the gaps are nearly alike. */
function isEven(times: Float64Array): boolean {
  const count = times.length - 1;
  const mean = (times[count] - times[0]) / count;
  let squares = 0;
  for (let at = 0; at < count; at++) squares += (times[at + 1] - times[at] - mean) ** 2;
  return Math.sqrt(squares / count) < MOST_DEVIATION * mean;
}

/** How unevenly runs are distributed over the parts of a period: Pearson's chi-squared. */
function unevenness(times: Float64Array, length: number, parts: number): number {
  const counts = new Uint32Array(parts);
  let [before, all] = [-1, 0];
  for (const time of times) {
    const part = Math.floor(time / length * parts);
    // Runs that come in one burst are not a pattern.
    if (part === before) continue;
    before = part;
    counts[part % parts]++;
    all++;
  }
  const expected = all / parts;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}
