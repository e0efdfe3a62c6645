/** Reads what changed in a history since the last poll. */
import { HOUR } from "../../../lib/time_units.ts";
import type { Backend } from "../../../lib/client/backend.ts";
import { walkHistory } from "../../../lib/client/walks/lists.ts";
import { orderOf } from "../../../lib/runs/load_runs.ts";
import { timeOf, withZone } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import type { WatchedRun } from "../../store/runs/store_runs.ts";
import type { StoredRunText, WhichRuns } from "../../store/runs/read_runs.ts";
import { lacking, type StaleAnswerError } from "./service_access.ts";

/** How many of the newest runs a poll requests; the overlap finds runs that are listed late. */
export const USUAL_RUNS = 50;
/** The most runs that are read at once if the newest come first. */
const MAX_RUNS = 1000;
const PAGE = 250;
/** After this many stored runs in a row, nothing new is expected further back. */
const OVERLAP = 10;
/** How far back unfinished runs are read again. */
const UNFINISHED_MS = 48 * HOUR;

export interface StoredHistory extends WhichRuns {
  /** The newest stored runs, newest first; all of them if a shrunk history is believed. */
  readonly newest: readonly StoredRunText[];
  readonly count: number;
}

export interface HistoryChanges {
  readonly put: readonly WatchedRun[];
  readonly removed: readonly number[];
  /** Whether the history was read from its beginning to its end. */
  readonly isWhole: boolean;
}

export class HistoryShrankError extends Error {
  override readonly name = "HistoryShrankError";
}

/** @throws {HistoryShrankError | StaleAnswerError} If the answer looks wrong. */
export async function readChanges(
  backend: Backend,
  scheduleId: number,
  stored: StoredHistory,
  { now, zone, signal, isBelieved = () => false }: {
    readonly now: number;
    readonly zone: string;
    readonly signal: AbortSignal;
    readonly isBelieved?: (suspicion: StaleAnswerError | HistoryShrankError) => boolean;
  },
): Promise<HistoryChanges> {
  const byId = new Map(stored.newest.map((run) => [run.id, run]));
  const unfinished = new Set(
    stored.newest
      .filter(({ text, start }) => (start ?? 0) > now - UNFINISHED_MS && isUnfinished(text))
      .map(({ id }) => id),
  );
  const rows: WatchedRun[] = [];
  const put: WatchedRun[] = [];
  let knownInARow = 0;
  let hasEnd = true;
  let hasBegin = true;
  const limit = stored.count === 0 ? PAGE : USUAL_RUNS;
  let pages = walkHistory(backend, scheduleId, { limit, signal }).pages();
  for (let first = true;; first = false) {
    const { value: page, done } = await pages.next();
    if (done) break;
    const read = page.map((run) => watchedRun(run, zone));
    const skip = Math.max(0, stored.count - USUAL_RUNS);
    if (first && skip > 0 && orderOfRows(read) === "oldest first") {
      // The newest are at the end, so start again a little before it.
      await pages.return?.(undefined);
      hasBegin = false;
      pages = walkHistory(backend, scheduleId, { limit: PAGE, skip, signal }).pages();
      continue;
    }
    for (const row of read) {
      const isKnown = byId.get(row.id)?.text === JSON.stringify(row.run);
      rows.push(row);
      unfinished.delete(row.id);
      knownInARow = isKnown ? knownInARow + 1 : 0;
      if (!isKnown) put.push(row);
    }
    const isRead = knownInARow >= OVERLAP && unfinished.size === 0 &&
      orderOfRows(rows) === "newest first";
    // If the oldest come first, the newest are at the end, so read on.
    if (isRead || rows.length >= MAX_RUNS && orderOfRows(rows) !== "oldest first") {
      hasEnd = false;
      await pages.return?.(undefined);
      break;
    }
  }
  if (hasShrunk(rows, stored.count, hasEnd)) {
    const shrank = new HistoryShrankError();
    if (!isBelieved(shrank)) throw shrank;
    const ids = new Set(rows.map(({ id }) => id));
    const removed = stored.newest.map(({ id }) => id).filter((id) => !ids.has(id));
    return { put, removed, isWhole: false };
  }
  const removed = missingFrom(rows, stored);
  const reopened = put.filter(({ id, run }) => {
    const before = byId.get(id);
    return before !== undefined && !run.endTime && !isUnfinished(before.text);
  }).map(({ id }) => id);
  if (removed.length > 0 || reopened.length > 0) {
    const stale = lacking(removed, reopened);
    if (!isBelieved(stale)) throw stale;
  }
  return { put, removed, isWhole: hasBegin && hasEnd };
}

function hasShrunk(rows: readonly WatchedRun[], count: number, hasEnd: boolean): boolean {
  if (count === 0) return false;
  return rows.length === 0 ||
    hasEnd && count >= 4 && rows.length < Math.min(count, MAX_RUNS) / 2 &&
      orderOfRows(rows) !== "oldest first";
}

function missingFrom(rows: readonly WatchedRun[], { newest }: StoredHistory): readonly number[] {
  if (orderOfRows(rows) === "unknown") return [];
  const ids = new Set(rows.map(({ id }) => id));
  const oldest = rows.reduce((least, { start }) => Math.min(least, start ?? Infinity), Infinity);
  // The service may have dropped older ones because of their age.
  return newest.filter(({ id, start }) => !ids.has(id) && start !== null && start > oldest)
    .map(({ id }) => id);
}

export function isUnfinished(text: string): boolean {
  return !JSON.parse(text).endTime;
}

export function watchedRun(run: ReportRun, zone: string): WatchedRun {
  const zoned = withZone(run, zone);
  return { id: run.id, start: timeOf(zoned.startTime) ?? null, run: zoned };
}

function orderOfRows(rows: readonly WatchedRun[]): ReturnType<typeof orderOf> {
  const starts = rows.map(({ start }) => start).filter((start) => start !== null);
  return rows.length > 1 ? orderOf(starts) : "newest first";
}
