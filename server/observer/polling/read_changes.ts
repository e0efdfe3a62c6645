/**
 * What is new in a history since it was last read: new runs, changed runs, and runs that the
 * service no longer has.
 */
import type { Backend } from "../../../lib/client/backend.ts";
import { orderOf } from "../../../lib/runs/load_runs.ts";
import { timeOf, withZone } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { walkHistory } from "../../../lib/client/walks/lists.ts";
import type { WatchedRunText } from "../../store/observer/watched_runs.ts";
import type { WatchedRun } from "../../store/observer/types.ts";

/** How many runs a usual look requests: the newest, overlapping for runs listed late. */
export const USUAL_RUNS = 50;
/** How many runs are read at most; older ones do not count for a verdict. */
export const MOST_RUNS = 1000;
const PAGE = 250;
/** After this many known runs in a row, nothing new is expected further back. */
const OVERLAP = 10;
/** How long to read further back for the sake of a run that has not ended. */
const UNFINISHED_MS = 48 * 3_600_000;

/** What is known of a history. */
export interface KnownHistory {
  /** The newest copies, newest first, at most {@linkcode MOST_RUNS}. */
  readonly newest: readonly WatchedRunText[];
  /** How many copies there are in total. */
  readonly count: number;
}

/** What a look found. */
export interface News {
  /** Runs that are new or have changed. */
  readonly put: readonly WatchedRun[];
  /** Ids of copies whose runs the service no longer has. */
  readonly removed: readonly number[];
  /** Whether so many runs are gone that the service can't be right. */
  readonly shrank: boolean;
}

/**
 * Reads what is new with as few requests as the order allows: one if the newest runs come first and
 * little happened.
 *
 * @throws The service's error.
 */
export async function readNews(
  backend: Backend,
  scheduleId: number,
  known: KnownHistory,
  { now, zone, signal }: {
    readonly now: number;
    /** IANA name of the zone of times without one; the copies name theirs. */
    readonly zone: string;
    readonly signal: AbortSignal;
  },
): Promise<News> {
  const copies = new Map(known.newest.map((copy) => [copy.id, copy]));
  const waitedFor = new Set(
    known.newest.filter(({ text, start }) =>
      (start ?? 0) > now - UNFINISHED_MS && isUnfinished(text)
    )
      .map(({ id }) => id),
  );
  const rows: WatchedRun[] = [];
  const put: WatchedRun[] = [];
  let knownInARow = 0;
  let hasEnd = true;
  const limit = known.count === 0 ? PAGE : USUAL_RUNS;
  let pages = walkHistory(backend, scheduleId, { limit, signal }).pages();
  for (let first = true;; first = false) {
    const { value: page, done } = await pages.next();
    if (done) break;
    const read = page.map((run) => rowOf(run, copies.get(run.id), zone));
    const skip = Math.max(0, known.count - USUAL_RUNS);
    if (first && skip > 0 && orderOfRows(read) === "oldest first") {
      // The newest are at the end: start again a little before it.
      await pages.return?.(undefined);
      pages = walkHistory(backend, scheduleId, { limit: PAGE, skip, signal }).pages();
      continue;
    }
    for (const { isKnown, ...row } of read) {
      rows.push(row);
      waitedFor.delete(row.id);
      knownInARow = isKnown ? knownInARow + 1 : 0;
      if (!isKnown) put.push(row);
    }
    const isRead = knownInARow >= OVERLAP && waitedFor.size === 0 &&
      orderOfRows(rows) === "newest first";
    if (isRead || rows.length >= MOST_RUNS) {
      hasEnd = false;
      await pages.return?.(undefined);
      break;
    }
  }
  return { put, ...missingFrom(rows, known, hasEnd) };
}

/** Which copies the service no longer has, as far as the runs that were read show. */
function missingFrom(
  rows: readonly WatchedRun[],
  { newest, count }: KnownHistory,
  hasEnd: boolean,
): Pick<News, "removed" | "shrank"> {
  if (count === 0) return { removed: [], shrank: false };
  const ids = new Set(rows.map(({ id }) => id));
  const starts = rows.map(({ start }) => start).filter((start) => start !== null);
  const oldest = starts.reduce((least, start) => Math.min(least, start), Infinity);
  // Older ones may have been dropped because of their age.
  const missing = newest.filter(({ id, start }) =>
    !ids.has(id) && start !== null && start > oldest && orderOfRows(rows) !== "unknown"
  );
  const isCut = hasEnd && count >= 4 && rows.length < Math.min(count, MOST_RUNS) / 2 &&
    orderOfRows(rows) !== "oldest first";
  const isFull = missing.length >= 3 && missing.length * 5 > rows.length;
  const shrank = rows.length === 0 || isCut || isFull;
  return { removed: shrank ? [] : missing.map(({ id }) => id), shrank };
}

/** Whether a run, given as JSON, has not ended yet. */
export function isUnfinished(text: string): boolean {
  return !JSON.parse(text).endTime;
}

/** A run as it is copied, and whether it was so already. */
function rowOf(
  run: ReportRun,
  copy: WatchedRunText | undefined,
  zone: string,
): WatchedRun & { readonly isKnown: boolean } {
  const { id } = run;
  // Most are known, and then their times need not be read.
  if (copy?.text === JSON.stringify(run)) return { id, start: copy.start, run, isKnown: true };
  const zoned = withZone(run, zone);
  const isKnown = copy?.text === JSON.stringify(zoned);
  return { id, start: timeOf(zoned.startTime) ?? null, run: zoned, isKnown };
}

/** The order in which the service returns runs, as far as these show it. */
function orderOfRows(rows: readonly WatchedRun[]): ReturnType<typeof orderOf> {
  const starts = rows.map(({ start }) => start).filter((start) => start !== null);
  return rows.length > 1 ? orderOf(starts) : "newest first";
}
