/**
 * How long runs take, and which took unusually long or short.
 *
 * @module
 */

import type { ReportRun } from "../types.ts";
import { quantile, type Spread, spreadOf } from "./numbers.ts";
import { durationOf } from "./times.ts";

/** How long runs take. */
export interface Durations<Run> {
  /** Number of runs whose duration is known. */
  readonly count: number;
  /** The median in milliseconds, or null where no duration is known. */
  readonly p50: number | null;
  /** What 19 of 20 runs stay below, in milliseconds. */
  readonly p95: number | null;
  /** What is usual, or null where too few durations are known. */
  readonly spread: Spread | null;
  /** Runs that took unusually long or short, in their order. */
  readonly outliers: readonly Run[];
}

/** Differences below a second are nobody's concern. */
const LEAST_DEVIATION_MS = 1000;

/**
 * Measures how long runs take. Runs without an end, and those that end before they start, are left
 * out.
 *
 * @param runs The runs, in any order.
 * @returns Percentiles and outliers, with the number of runs they are based on.
 *
 * @example
 * ```ts
 * import { measureDurations } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const { count, p50 } = measureDurations([
 *   { id: 1, startTime: "2026-01-01T06:00:00Z", endTime: "2026-01-01T06:00:30Z" },
 *   { id: 2, startTime: "2026-01-02T06:00:00Z" },
 * ]);
 * assertEquals([count, p50], [1, 30_000]);
 * ```
 */
export function measureDurations<Run extends ReportRun>(runs: readonly Run[]): Durations<Run> {
  const known = runs.flatMap((run) => {
    const ms = durationOf(run);
    return ms === undefined || ms < 0 ? [] : [{ run, ms }];
  });
  const values = known.map(({ ms }) => ms);
  const median = quantile(values, 0.5) ?? null;
  const spread = spreadOf(values, Math.max(LEAST_DEVIATION_MS, (median ?? 0) / 20)) ?? null;
  return {
    count: values.length,
    p50: median,
    p95: quantile(values, 0.95) ?? null,
    spread,
    outliers: spread === null
      ? []
      : known.filter(({ ms }) => ms > spread.high || ms < spread.low).map(({ run }) => run),
  };
}
