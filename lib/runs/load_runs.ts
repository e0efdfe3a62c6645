/** Loads the runs of a schedule with short texts, and says whether there may be more. */
import type { Backend } from "../client/backend.ts";
import { type Runtime, systemRuntime } from "../client/transport/runtime.ts";
import { walkHistory } from "../client/walks/lists.ts";
import { TimeoutError } from "../errors.ts";
import { shorten } from "../format.ts";
import type { ReportRun } from "../types.ts";
import { newestFirst, timeOf, withoutRepeated, withZone } from "./times.ts";

/** The loader's limits: runs in all, milliseconds in all, and runs for each request. */
export const LOAD = { runs: 1000, ms: 5000, limit: 250 } as const;

/** The loaded runs, newest first and each id once, and whether there may be others. */
export interface LoadedRuns {
  readonly runs: readonly ReportRun[];
  /** Why loading stopped: no more runs, enough runs, the timeout, or an error of the service. */
  readonly stopped: "end" | "enough" | "time" | "error";
  readonly error?: unknown;
  readonly olderUnread: boolean;
  readonly newerUnread: boolean;
}

/** Loads runs of a schedule. Throws the service's error if not even the first page was loaded. */
export async function loadRuns(
  backend: Backend,
  scheduleId: number,
  {
    runs: mostRuns = LOAD.runs,
    ms = LOAD.ms,
    zone = "UTC",
    signal,
    runtime = systemRuntime(),
  }: {
    readonly runs?: number;
    readonly ms?: number;
    /** IANA name of the zone of times that name none; the loaded ones all do. Default: UTC. */
    readonly zone?: string;
    readonly signal?: AbortSignal;
    readonly runtime?: Runtime;
  } = {},
): Promise<LoadedRuns> {
  const rows: ReportRun[] = [];
  let stopped: LoadedRuns["stopped"] = "end";
  let failure: unknown;
  const timeout = new AbortController();
  const stopTimer = runtime.setTimer(() => timeout.abort(), ms);
  const pages = walkHistory(backend, scheduleId, {
    limit: Math.min(LOAD.limit, mostRuns),
    signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
  }).pages();
  try {
    for await (const page of pages) {
      rows.push(...page.map((run) => withZone(withShortTexts(run), zone)));
      if (rows.length >= mostRuns) {
        stopped = "enough";
        break;
      }
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    if (rows.length === 0) {
      const message = `The service returned no runs within ${ms / 1000} s`;
      throw timeout.signal.aborted ? new TimeoutError("deadline", ms, message) : error;
    }
    stopped = timeout.signal.aborted ? "time" : "error";
    failure = error;
  } finally {
    stopTimer();
  }
  const times = rows.map(({ startTime }) => timeOf(startTime)).filter((time) => time !== undefined);
  const order = detectOrder(times);
  return {
    runs: newestFirst(withoutRepeated(rows)),
    stopped,
    ...(stopped === "error" ? { error: failure } : {}),
    olderUnread: stopped !== "end" && order !== "oldest first",
    newerUnread: stopped !== "end" && order !== "newest first",
  };
}

/** The runs of a schedule, and whether there may be others. */
export interface RunHistory {
  /** In any order; if an id repeats, the first run counts. */
  readonly runs: readonly ReportRun[];
  /** Whether there may be older runs, which changes no verdict. Default: false. */
  readonly olderUnread?: boolean;
  /** Whether there may be newer runs; if so, nothing is overdue. Default: false. */
  readonly newerUnread?: boolean;
}

/** The order in which a service returns runs, judging by their times. */
export function detectOrder(
  times: readonly number[],
): "newest first" | "oldest first" | "unknown" {
  const falls = times.every((time, at) => at === 0 || time <= times[at - 1]);
  const rises = times.every((time, at) => at === 0 || time >= times[at - 1]);
  if (falls === rises) return "unknown";
  return falls ? "newest first" : "oldest first";
}

const MAX_CHARACTERS = 1000;

/** The run with long texts shortened; the same object if none is long. */
export function withShortTexts(run: ReportRun): ReportRun {
  const short = shortened(run, (text) => shorten(text, MAX_CHARACTERS));
  const hasLong = run.recipients?.some(({ displayName, emailAddress }) =>
    isLong(displayName) || isLong(emailAddress)
  );
  // The beginning of an address could not be masked, so a long one is replaced as a whole.
  return hasLong
    ? { ...short, recipients: run.recipients!.map((each) => shortened(each, () => "…")) }
    : short;
}

/** The row with its long texts replaced; the same object if none is long. */
function shortened<Row extends object>(row: Row, replace: (text: string) => string): Row {
  const long = Object.entries(row).filter(([, value]) => isLong(value));
  if (long.length === 0) return row;
  return { ...row, ...Object.fromEntries(long.map(([name, text]) => [name, replace(text)])) };
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && value.length > MAX_CHARACTERS;
}
