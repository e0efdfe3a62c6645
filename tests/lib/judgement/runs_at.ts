import { planSlots, type ReportRun } from "../../../lib/mod.ts";

/** When expressions are due. */
export function slotsOf(cron: readonly string[], from: number, to: number, zone = "UTC"): number[] {
  return planSlots({ cron, zone, graceMs: 0, since: 0 }, from, to);
}

/** Successful runs that start at these times; with a duration, they end too. */
export function runsAt(starts: readonly number[], ms?: number): ReportRun[] {
  return starts.map((start, id) => ({
    id,
    status: "success",
    startTime: new Date(start).toISOString(),
    ...ms !== undefined && { endTime: new Date(start + ms).toISOString() },
  }));
}

/** `count` moments that are this far apart. */
export function momentsFrom(first: number, count: number, everyMs = 86_400_000): number[] {
  return Array.from({ length: count }, (_, at) => first + at * everyMs);
}
