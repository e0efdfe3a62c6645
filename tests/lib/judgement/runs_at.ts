import {
  defaultStatusDictionary,
  type JudgeOptions,
  judgeSchedule,
  planSlots,
  type ReportRun,
  type Verdict,
} from "../../../lib/mod.ts";

/** When expressions are due. */
export function slotsOf(cron: readonly string[], from: number, to: number, zone = "UTC"): number[] {
  return planSlots({ cron, zone, graceMs: 0, since: 0 }, from, to);
}

/** An automated run that succeeded. */
export function runAt(id: number, start: number, more: Partial<ReportRun> = {}): ReportRun {
  const startTime = new Date(start).toISOString();
  return { id, automated: true, status: "success", startTime, ...more };
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

/** The verdict at a time, by the statuses that are known from the start. */
export function judgeAt(
  now: number,
  runs: readonly ReportRun[],
  options: Partial<JudgeOptions> = {},
): Verdict {
  return judgeSchedule({ runs }, { now, statuses: defaultStatusDictionary(), ...options });
}
