/**
 * When runs started and ended, as numbers.
 *
 * @module
 */

import type { ReportRun } from "../types.ts";

/**
 * A moment of the interface as milliseconds since 1970. A date-time without a zone is UTC, wherever
 * it is read.
 *
 * @param text The moment, as the service sent it.
 * @returns The time, or undefined where there is none or it can't be read.
 *
 * @example
 * ```ts
 * import { timeOf } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(timeOf("1970-01-01T00:00:01"), 1000);
 * assertEquals(timeOf("yesterday"), undefined);
 * ```
 */
export function timeOf(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const withoutZone = /T[\d:.]+$/.test(text);
  const time = Date.parse(withoutZone ? `${text}Z` : text);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * How long a run took.
 *
 * @param run The run.
 * @returns Milliseconds, below zero where it ends before it starts; undefined where a time is
 * missing.
 */
export function durationOf(
  { startTime, endTime }: Pick<ReportRun, "startTime" | "endTime">,
): number | undefined {
  const start = timeOf(startTime);
  const end = timeOf(endTime);
  return start === undefined || end === undefined ? undefined : end - start;
}

/**
 * Runs in the order in which they started, the newest first; ties by id. The interface gives no
 * order. Runs that don't say when they started are last.
 *
 * @param runs The runs, in any order; left as they are.
 * @returns The runs in order.
 *
 * @example
 * ```ts
 * import { newestFirst } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const runs = [
 *   { id: 1, startTime: "2026-01-01T06:00:00Z" },
 *   { id: 3 },
 *   { id: 2, startTime: "2026-01-02T06:00:00Z" },
 * ];
 * assertEquals(newestFirst(runs).map(({ id }) => id), [2, 1, 3]);
 * ```
 */
export function newestFirst<Run extends Pick<ReportRun, "id" | "startTime">>(
  runs: readonly Run[],
): Run[] {
  return runs
    .map((run) => ({ run, time: timeOf(run.startTime) ?? -Infinity }))
    .sort((a, b) => (a.time === b.time ? b.run.id - a.run.id : b.time - a.time))
    .map(({ run }) => run);
}
