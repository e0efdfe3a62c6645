/** Whether numbers climb slowly, compared on a log scale. */
import { quantile, TO_STANDARD } from "../runs/numbers.ts";
import type { Measured } from "./level.ts";

/** A slow climb. */
export interface Climb {
  readonly since: number;
  readonly before: number;
  readonly after: number;
}

const CLIMB_PARTS = 5;
const FEWEST_CLIMBING = 25;
const LEAST_CLIMB = 1.5;

/** Finds out whether all of the numbers climb slowly. */
export function climbIn(measured: readonly Measured[]): Climb | null {
  if (measured.length < FEWEST_CLIMBING) return null;
  const size = Math.floor(measured.length / CLIMB_PARTS);
  const partOf = (at: number) =>
    measured.slice(at * size, at === CLIMB_PARTS - 1 ? undefined : (at + 1) * size)
      .map(({ value }) => Math.log(value));
  const [first, last] = [partOf(0), partOf(CLIMB_PARTS - 1)];
  const total = quantile(last, 0.5)! - quantile(first, 0.5)!;
  // Most numbers don't climb: then the other parts need not be read.
  if (total < Math.log(LEAST_CLIMB)) return null;
  const parts = [first, ...[1, 2, 3].map(partOf), last];
  const middles = parts.map((part) => quantile(part, 0.5)!);
  const steps = middles.slice(1).map((middle, at) => middle - middles[at]);
  if (steps.some((step) => step < total * 0.05)) return null;
  const rest = parts.flatMap((part, at) => part.map((log) => Math.abs(log - middles[at])));
  const deviation = TO_STANDARD * quantile(rest, 0.5)!;
  if (total < 4 * deviation * Math.sqrt(2 / size) || total < deviation) return null;
  return {
    since: measured[0].time,
    before: Math.exp(middles[0]),
    after: Math.exp(middles.at(-1)!),
  };
}
