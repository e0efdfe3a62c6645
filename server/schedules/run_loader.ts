/**
 * Loads the runs of a schedule for judging them: for pages, exports and statistics alike. It goes
 * only so far and so long, and says what may lie beyond.
 */
import type { Backend } from "../../lib/backend.ts";
import { TimeoutError } from "../../lib/errors.ts";
import { type Runtime, systemRuntime } from "../../lib/runtime.ts";
import { newestFirst, timeOf } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import { walkHistory } from "../../lib/walks.ts";

/** How far the loader goes. */
export const LOAD = { runs: 1000, mostRuns: 10_000, ms: 5000, limit: 250 } as const;

/** Runs, and what is known of those that were not loaded. */
export interface LoadedRuns {
  /** The runs, each once, the newest first. */
  readonly runs: readonly ReportRun[];
  /** Rows whose id had come before: a fault of the service, or rows that moved meanwhile. */
  readonly repeated: readonly ReportRun[];
  /** Why the loader stopped: all were read, enough were, the time was over, or the service failed. */
  readonly stopped: "end" | "enough" | "time" | "fault";
  /** What the service failed with. */
  readonly fault?: unknown;
  /** Whether there may be runs that are older than these. */
  readonly older: boolean;
  /** Whether there may be runs that are newer than these. */
  readonly newer: boolean;
}

/** How far and how long to go. */
export interface LoadOptions {
  /** The most runs. */
  readonly runs?: number;
  /** The most time, in milliseconds. */
  readonly ms?: number;
  readonly signal?: AbortSignal;
  /** The clock that the time is counted by. Default: the real one. */
  readonly runtime?: Runtime;
}

/**
 * Loads runs of a schedule.
 *
 * @throws what the service failed with before it gave the first page
 */
export async function loadRuns(
  backend: Backend,
  scheduleId: number,
  { runs: most = LOAD.runs, ms = LOAD.ms, signal, runtime = systemRuntime() }: LoadOptions = {},
): Promise<LoadedRuns> {
  const rows: ReportRun[] = [];
  let stopped: LoadedRuns["stopped"] = "end";
  let fault: unknown;
  const time = new AbortController();
  const stopTimer = runtime.setTimer(() => time.abort(), ms);
  const pages = walkHistory(backend, scheduleId, {
    limit: Math.min(LOAD.limit, most),
    signal: signal ? AbortSignal.any([signal, time.signal]) : time.signal,
  }).pages();
  try {
    for await (const page of pages) {
      rows.push(...page);
      if (rows.length >= most) {
        stopped = "enough";
        break;
      }
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    if (rows.length === 0) throw time.signal.aborted ? lateError(ms) : error;
    stopped = time.signal.aborted ? "time" : "fault";
    fault = error;
  } finally {
    stopTimer();
  }
  const order = orderOf(rows);
  return {
    ...parted(rows),
    stopped,
    ...(stopped === "fault" ? { fault } : {}),
    older: stopped !== "end" && order !== "oldest first",
    newer: stopped !== "end" && order !== "newest first",
  };
}

function lateError(ms: number): TimeoutError {
  return new TimeoutError("deadline", ms, `The service gave no runs within ${ms / 1000} s`);
}

/** Each run once, and the rows that came again. */
function parted(rows: readonly ReportRun[]): Pick<LoadedRuns, "runs" | "repeated"> {
  const seen = new Map<number, ReportRun>();
  const repeated: ReportRun[] = [];
  for (const row of rows) {
    if (seen.has(row.id)) repeated.push(row);
    else seen.set(row.id, row);
  }
  return { runs: newestFirst([...seen.values()]), repeated };
}

/** The order in which the service gives runs, as far as these rows show it. */
function orderOf(rows: readonly ReportRun[]): "newest first" | "oldest first" | "unknown" {
  const times = rows.map(({ startTime }) => timeOf(startTime))
    .filter((time) => time !== undefined);
  const falls = times.every((time, at) => at === 0 || time <= times[at - 1]);
  const rises = times.every((time, at) => at === 0 || time >= times[at - 1]);
  if (falls === rises) return "unknown";
  return falls ? "newest first" : "oldest first";
}
