import type { ReportRun } from "../types.ts";
import type { TimedRun } from "./occurrences.ts";
import { quantile } from "./quantiles.ts";
import { newestFirst } from "./times.ts";

/** How long runs take, and which took unusually long or short. */
export interface Durations<Run> {
  /** Number of runs whose duration is known. */
  readonly count: number;
  /** The median in milliseconds, or null if no duration is known. */
  readonly p50: number | null;
  /** The 95th percentile, in milliseconds. */
  readonly p95: number | null;
  /** A duration outside these bounds is unusual; in milliseconds, null if too few are known. */
  readonly spread: { readonly low: number; readonly high: number } | null;
  /** Runs that took unusually long or short, newest first. */
  readonly outliers: readonly Run[];
}

/** Fewer durations don't show what is usual, so none of them is an outlier. */
const MIN_COUNT = 8;
/** An outlier is more than this many median deviations from the median, on a log scale, … */
const OUTLYING = 5.2;
/** … and a sixth, as durations may be nearly all the same. */
const MIN_REACH = 0.175;
/** Smaller differences from the median don't matter to anybody. */
const MIN_DIFFERENCE_MS = 1000;
/** If more than this share of the runs is on one side of the bounds, such durations are usual. */
const MAX_OUTLIERS = 0.08;

/**
 * Measures how long runs take. Leaves out runs without an end and runs that end before they start.
 * If any run succeeded, only such runs count, because the durations of others show nothing.
 */
export function measureDurations<Run extends ReportRun>(
  runs: readonly RunDuration<Run>[],
): Durations<Run> {
  const known = usualDurations(runs);
  const values = known.map(({ ms }) => ms);
  const median = quantile(values, 0.5) ?? null;
  const spread = measureSpread(values);
  return {
    count: values.length,
    p50: median,
    p95: quantile(values, 0.95) ?? null,
    spread,
    outliers: spread === null ? [] : findOutliers(known, spread),
  };
}

type RunDuration<Run> = Omit<TimedRun<Run>, "time">;

export function usualDurations<Run extends ReportRun>(
  runs: readonly RunDuration<Run>[],
): readonly (RunDuration<Run> & { readonly ms: number })[] {
  const ended = runs.filter((run): run is RunDuration<Run> & { readonly ms: number } =>
    run.ms !== undefined && run.ms >= 0
  );
  const good = ended.filter(({ meaning }) => meaning === "good");
  return good.length > 0 ? good : ended;
}

/** The bounds of what is usual, on a log scale, as durations vary by factors. */
function measureSpread(values: readonly number[]): Durations<unknown>["spread"] {
  if (values.length < MIN_COUNT) return null;
  const logs = values.map((ms) => Math.log(Math.max(1, ms)));
  const middle = quantile(logs, 0.5)!;
  const deviation = quantile(logs.map((log) => Math.abs(log - middle)), 0.5)!;
  const reach = Math.max(MIN_REACH, OUTLYING * deviation);
  const median = Math.exp(middle);
  return {
    low: Math.min(Math.exp(middle - reach), median - MIN_DIFFERENCE_MS),
    high: Math.max(Math.exp(middle + reach), median + MIN_DIFFERENCE_MS),
  };
}

/** Runs that took unusually long or short, unless many did. */
function findOutliers<Run extends ReportRun>(
  known: readonly { readonly run: Run; readonly ms: number }[],
  { low, high }: { readonly low: number; readonly high: number },
): Run[] {
  const most = Math.max(1, known.length * MAX_OUTLIERS);
  const outliers = [known.filter(({ ms }) => ms > high), known.filter(({ ms }) => ms < low)]
    .filter(({ length }) => length <= most);
  return newestFirst(outliers.flat().map(({ run }) => run));
}
