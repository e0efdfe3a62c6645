import { planSlots, type ReportRun } from "../../../lib/mod.ts";

/** When expressions are due. */
export function slotsOf(cron: readonly string[], from: number, to: number, zone = "UTC"): number[] {
  return planSlots({ cron, zone, graceMs: 0, since: 0 }, from, to);
}

/** Successful runs that start at these times. */
export function runsAt(starts: readonly number[]): ReportRun[] {
  return starts.map((start, id) => ({
    id,
    status: "success",
    startTime: new Date(start).toISOString(),
  }));
}
