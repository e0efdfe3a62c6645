/** What happened in a period, for comparing it with another one. */
import type { Recipient, ReportRun } from "../types.ts";
import { measureDurations } from "./durations.ts";
import { quantile } from "./numbers.ts";
import { recipientKey } from "./recipients.ts";
import { meaningOf, type StatusDictionary } from "./status.ts";
import { timeOf } from "./times.ts";

/** A period in milliseconds since 1970. The start is included, the end is not. */
export interface Period {
  /** The first moment. */
  readonly start: number;
  /** The first moment after it. */
  readonly end: number;
}

/** What happened in a period. */
export interface PeriodSummary {
  /** Number of runs that started in it. */
  readonly runs: number;
  /** Number of runs of each status, most frequent first; a missing status is an empty text. */
  readonly statuses: ReadonlyMap<string, number>;
  /** Share of failed runs among those that succeeded or failed; null if there are none. */
  readonly failed: number | null;
  /** The median duration in milliseconds; null if none is known. */
  readonly p50: number | null;
  /** The 95th percentile of durations, in milliseconds; null if none is known. */
  readonly p95: number | null;
  /** The median attachment size in bytes; null if none is known. */
  readonly attachmentSize: number | null;
  /** The median email size in bytes; null if none is known. */
  readonly emailSize: number | null;
  /** Everybody whom a run of the period lists, by key; null if no run has a list. */
  readonly recipients: ReadonlyMap<string, Recipient> | null;
}

/**
 * Summarizes the runs that started in a period.
 *
 * @param runs The runs, in any order.
 * @param dictionary What each status means.
 * @returns Counts, medians and recipients.
 */
export function summarizePeriod(
  runs: readonly ReportRun[],
  { start, end }: Period,
  dictionary: StatusDictionary,
): PeriodSummary {
  const within = runs.filter(({ startTime }) => {
    const time = timeOf(startTime);
    return time !== undefined && time >= start && time < end;
  });
  const statuses = new Map<string, number>();
  const recipients = new Map<string, Recipient>();
  let good = 0;
  let bad = 0;
  for (const { status, recipients: listed } of within) {
    statuses.set(status ?? "", (statuses.get(status ?? "") ?? 0) + 1);
    const meaning = meaningOf(status, dictionary);
    if (meaning === "good") good++;
    if (meaning === "bad") bad++;
    for (const recipient of listed ?? []) recipients.set(recipientKey(recipient), recipient);
  }
  const { p50, p95 } = measureDurations(within);
  const median = (field: "attachmentSize" | "emailSize") =>
    quantile(within.flatMap((run) => run[field] ?? []), 0.5) ?? null;
  return {
    runs: within.length,
    statuses: new Map([...statuses].sort(([, a], [, b]) => b - a)),
    failed: good + bad > 0 ? bad / (good + bad) : null,
    p50,
    p95,
    attachmentSize: median("attachmentSize"),
    emailSize: median("emailSize"),
    recipients: within.some(({ recipients }) => recipients) ? recipients : null,
  };
}
