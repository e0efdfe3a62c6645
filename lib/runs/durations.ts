/** How long runs take, and which took unusually long or short. */
import type { ReportRun } from "../types.ts";
import type { TimedRun } from "./occurrences.ts";
import { quantile, type Spread, spreadOf } from "./numbers.ts";
import { newestFirst } from "./times.ts";

/** How long runs take. */
export interface Durations<Run> {
  /** Number of runs whose duration is known. */
  readonly count: number;
  /** The median in milliseconds, or null if no duration is known. */
  readonly p50: number | null;
  /** The 95th percentile, in milliseconds. */
  readonly p95: number | null;
  /**
   * What is usual: the median of `count` durations, their median absolute `deviation` from it, and
   * the bounds beyond which one is unusual; null if too few durations are known.
   */
  readonly spread: {
    readonly count: number;
    readonly median: number;
    readonly deviation: number;
    readonly low: number;
    readonly high: number;
  } | null;
  /** Runs that took unusually long or short, newest first. */
  readonly outliers: readonly Run[];
}

/** Nobody cares about differences below a second. */
const LEAST_DIFFERENCE_MS = 1000;
/** The least deviation on a log scale, for durations that are nearly all the same. */
const LEAST_DEVIATION = 0.05;
/** If more than this share of the runs are on one side, that duration is usual, too. */
const MOST_OUTLIERS = 0.08;

/**
 * Measures how long runs take. Leaves out runs without an end and runs that end before they start.
 * Also leaves out failed runs if others succeed, since how long a failure takes says nothing.
 */
export function measureDurations<Run extends ReportRun>(
  runs: readonly RunDuration<Run>[],
): Durations<Run> {
  const known = usualDurations(runs);
  const values = known.map(({ ms }) => ms);
  const median = quantile(values, 0.5) ?? null;
  const spread = spreadOfDurations(values);
  return {
    count: values.length,
    p50: median,
    p95: quantile(values, 0.95) ?? null,
    spread,
    outliers: spread === null ? [] : outliersIn(known, spread),
  };
}

type RunDuration<Run> = Omit<TimedRun<Run>, "time">;

export function usualDurations<Run extends ReportRun>(
  runs: readonly RunDuration<Run>[],
): readonly (RunDuration<Run> & { readonly ms: number })[] {
  const ended = runs.filter((one): one is RunDuration<Run> & { readonly ms: number } =>
    one.ms !== undefined && one.ms >= 0
  );
  const good = ended.filter(({ meaning }) => meaning !== "bad");
  return good.length > 0 ? good : ended;
}

/** What is usual: judged on a log scale, as durations vary by factors. */
function spreadOfDurations(values: readonly number[]): Spread | null {
  const spread = spreadOf(values, LEAST_DIFFERENCE_MS);
  if (!spread) return null;
  const logs = spreadOf(values.map((ms) => Math.log(Math.max(1, ms))), LEAST_DEVIATION)!;
  const median = Math.exp(logs.median);
  return {
    ...spread,
    low: Math.min(Math.exp(logs.low), median - LEAST_DIFFERENCE_MS),
    high: Math.max(Math.exp(logs.high), median + LEAST_DIFFERENCE_MS),
  };
}

/** Runs that took unusually long or short, unless many did. */
function outliersIn<Run extends ReportRun>(
  known: readonly { readonly run: Run; readonly ms: number }[],
  { low, high }: Spread,
): Run[] {
  const most = Math.max(1, known.length * MOST_OUTLIERS);
  const outliers = [known.filter(({ ms }) => ms > high), known.filter(({ ms }) => ms < low)]
    .filter(({ length }) => length <= most);
  return newestFirst(outliers.flat().map(({ run }) => run));
}
