/** When runs started and ended, as numbers. */
import type { ReportRun } from "../types.ts";
import { momentOf } from "../zone_clock.ts";

/** Parses a time to milliseconds since 1970; `zone` is the zone of times that name none. */
export function timeOf(text: string | null | undefined, zone = "UTC"): number | undefined {
  if (!text) return undefined;
  const trimmed = text.trim();
  const local = /^(\d{4}-\d\d-\d\d)(?:[T ]([\d:.]+))?$/.exec(trimmed);
  const time = Date.parse(local ? `${local[1]}T${local[2] ?? "00:00"}Z` : trimmed);
  if (Number.isNaN(time)) return undefined;
  return local ? momentOf(time, zone) : time;
}

/** The run with times that name their zone, so that they mean the same everywhere. */
export function withZone<Run extends Pick<ReportRun, "startTime" | "endTime">>(
  run: Run,
  zone: string,
): Run {
  const named = (text: string | null | undefined) => {
    const time = timeOf(text, zone);
    return time === undefined || /(Z|[+-]\d\d:?\d\d)$/i.test(text!.trim())
      ? text
      : new Date(time).toISOString();
  };
  const [startTime, endTime] = [named(run.startTime), named(run.endTime)];
  return startTime === run.startTime && endTime === run.endTime
    ? run
    : { ...run, startTime, endTime };
}

/** Each id once: one comes again by an error of the service, or if rows moved meanwhile. */
export function withoutRepeated(rows: readonly ReportRun[]): readonly ReportRun[] {
  const seen = new Set<number>();
  return rows.filter(({ id }) => seen.size < seen.add(id).size);
}

/** How long a run took in milliseconds, negative if it ends before it starts. */
export function durationOf(
  { startTime, endTime }: Pick<ReportRun, "startTime" | "endTime">,
): number | undefined {
  const start = timeOf(startTime);
  const end = timeOf(endTime);
  return start === undefined || end === undefined ? undefined : end - start;
}

/**
 * Sorts runs by start, newest first, ties by id, because the interface promises no order. Runs
 * without a start are last.
 *
 * @param runs The runs, in any order.
 * @returns A new array.
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
