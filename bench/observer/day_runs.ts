/** Histories of schedules that run once a day, each at its own minute, and always succeed. */
import { DAY, MINUTE } from "../../lib/time_units.ts";
import type { Plan } from "../../lib/judgement/plans/plan.ts";
import type { ReportRun } from "../../lib/types.ts";

/** How many days of runs the service lists. */
const LISTED_DAYS = 60;

export function dayPlan(scheduleId: number): Plan {
  const minute = minuteOf(scheduleId);
  const cron = [`${minute % 60} ${Math.floor(minute / 60)} * * *`];
  return { cron, zone: "UTC", graceMs: 20 * MINUTE, since: 0 };
}

/** The runs that had ended at that time, newest first. */
export function dayRuns(scheduleId: number, now: number): ReportRun[] {
  const slot = minuteOf(scheduleId) * MINUTE;
  const today = Math.floor((now - slot) / DAY);
  return Array.from({ length: LISTED_DAYS }, (_, at): ReportRun => {
    const day = today - at;
    const start = day * DAY + slot + (day * 7919 + scheduleId * 104729) % 40_000;
    const startTime = new Date(start).toISOString();
    const endTime = new Date(start + 90_000 + day * 31 % 20 * 1000).toISOString();
    return { id: day, startTime, endTime, status: "success", automated: true };
  }).filter(({ endTime }) => Date.parse(endTime!) <= now);
}

function minuteOf(scheduleId: number): number {
  return scheduleId * 389 % (24 * 60);
}
