import type { ReportRun } from "../types.ts";
import { quantile } from "./quantiles.ts";
import { newestFirst, timeOf } from "./times.ts";

/** How a number changed from run to run. */
export interface Trend<Run> {
  /** Number of runs that have the number. */
  readonly count: number;
  /** The median of the oldest tenth of the runs, at least five. */
  readonly first: number;
  /** The median of the newest tenth of the runs, at least five. */
  readonly last: number;
  /** The smallest number. */
  readonly least: number;
  /** The largest number. */
  readonly most: number;
  /** Where the number jumped and stayed, or null. */
  readonly jump: {
    /** The first run after the jump. */
    readonly run: Run;
    /** The median before. */
    readonly before: number;
    /** The median since. */
    readonly after: number;
  } | null;
}

const MIN_RUNS = 5;

/** How a number changed from run to run; null if fewer than ten runs have it. */
export function trendOf<Run extends ReportRun>(
  runs: readonly Run[],
  valueOf: (run: Run) => number | null | undefined,
  change: {
    /** The runs with it, the first of them first. */
    readonly runs: readonly { readonly id: number }[];
    readonly before: number;
    readonly after: number;
  } | null = null,
): Trend<Run> | null {
  const known = newestFirst(runs).reverse().flatMap((run) => {
    const value = valueOf(run);
    return typeof value === "number" && timeOf(run.startTime) !== undefined ? [{ run, value }] : [];
  });
  if (known.length < 2 * MIN_RUNS) return null;
  const values = known.map(({ value }) => value);
  const tenth = Math.max(MIN_RUNS, Math.floor(values.length / 10));
  const run = known.find(({ run }) => run.id === change?.runs[0].id)?.run;
  return {
    count: values.length,
    first: quantile(values.slice(0, tenth), 0.5)!,
    last: quantile(values.slice(-tenth), 0.5)!,
    least: values.reduce((a, b) => Math.min(a, b)),
    most: values.reduce((a, b) => Math.max(a, b)),
    jump: run && change ? { run, before: change.before, after: change.after } : null,
  };
}
