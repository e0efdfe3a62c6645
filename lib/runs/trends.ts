/** How a number changed from run to run: slowly, or in a jump. */
import type { ReportRun } from "../types.ts";
import { quantile } from "./numbers.ts";
import { newestFirst, timeOf } from "./times.ts";

/** How a number changed from run to run. */
export interface Trend<Run> {
  /** Number of runs that have the number. */
  readonly count: number;
  /** The median of the oldest tenth of the runs, at least five. */
  readonly first: number;
  /** The median of the newest tenth of the runs, at least five. */
  readonly last: number;
  /** The smallest. */
  readonly least: number;
  /** The largest. */
  readonly most: number;
  /** Where it jumped and stayed, or null. */
  readonly jump: {
    /** The first run after it. */
    readonly run: Run;
    /** The median before. */
    readonly before: number;
    /** The median since. */
    readonly after: number;
  } | null;
}

const FEWEST = 5;
/** A jump changes the number by at least this factor. */
const LEAST_FACTOR = 1.5;
/** A jump explains at least this share of the variance. */
const LEAST_EXPLAINED = 0.6;

/**
 * Finds out how a number changed from run to run. Runs without a start or the number are ignored.
 *
 * @param runs The runs, in any order.
 * @param valueOf The number, such as the attachments' size.
 * @returns The trend, or null if fewer than ten runs have the number.
 */
export function trendOf<Run extends ReportRun>(
  runs: readonly Run[],
  valueOf: (run: Run) => number | null | undefined,
): Trend<Run> | null {
  const known = newestFirst(runs).reverse().flatMap((run) => {
    const value = valueOf(run);
    return typeof value === "number" && timeOf(run.startTime) !== undefined ? [{ run, value }] : [];
  });
  if (known.length < 2 * FEWEST) return null;
  const values = known.map(({ value }) => value);
  const tenth = Math.max(FEWEST, Math.floor(values.length / 10));
  return {
    count: values.length,
    first: quantile(values.slice(0, tenth), 0.5)!,
    last: quantile(values.slice(-tenth), 0.5)!,
    least: values.reduce((a, b) => Math.min(a, b)),
    most: values.reduce((a, b) => Math.max(a, b)),
    jump: jumpIn(known),
  };
}

function jumpIn<Run>(
  known: readonly { readonly run: Run; readonly value: number }[],
): Trend<Run>["jump"] {
  const values = known.map(({ value }) => value);
  const { at, explained } = bestSplit(values.map((value) => Math.log1p(Math.max(0, value))));
  if (explained < LEAST_EXPLAINED) return null;
  const before = quantile(values.slice(0, at), 0.5)!;
  const after = quantile(values.slice(at), 0.5)!;
  // After slow growth, both ends differ too; a jump shows in the runs right beside it.
  const beside = [values.slice(at - FEWEST, at), values.slice(at, at + FEWEST)]
    .map((part) => quantile(part, 0.5)!);
  if (!isFar(before, after) || !isFar(beside[0], beside[1])) return null;
  return { run: known[at].run, before, after };
}

function isFar(a: number, b: number): boolean {
  return Math.max(a, b) > LEAST_FACTOR * Math.min(a, b);
}

/** Where to split a series so that both parts vary least. */
function bestSplit(values: readonly number[]): { at: number; explained: number } {
  const total = values.reduce((sum, value) => sum + value, 0);
  const mean = total / values.length;
  const movement = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  let best = { at: FEWEST, explained: 0 };
  let sum = 0;
  for (let at = 1; at < values.length; at++) {
    sum += values[at - 1];
    if (at < FEWEST || values.length - at < FEWEST) continue;
    const difference = sum / at - (total - sum) / (values.length - at);
    const between = at * (values.length - at) / values.length * difference ** 2;
    const explained = movement === 0 ? 0 : between / movement;
    if (explained > best.explained) best = { at, explained };
  }
  return best;
}
