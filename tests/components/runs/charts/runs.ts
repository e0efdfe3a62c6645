import { DAY } from "../../../../lib/time_units.ts";
import type { ReportRun } from "../../../../lib/types.ts";

/** When the oldest run starts; a Monday. */
export const FIRST = Date.parse("2026-01-05T06:00:00Z");

/** Daily runs of these durations in milliseconds, newest first. */
export function taking(...durations: number[]): ReportRun[] {
  return durations.map((ms, at) => ({
    id: at + 1,
    status: "success",
    startTime: new Date(FIRST + at * DAY).toISOString(),
    endTime: new Date(FIRST + at * DAY + ms).toISOString(),
  })).reverse();
}

/** A run a day, newest first, with the given statuses. */
export function daily(...statuses: string[]): ReportRun[] {
  return taking(...statuses.map(() => 60_000))
    .map((run) => ({ ...run, status: statuses[run.id - 1] }));
}
