/** Reads what changed in a history since the last poll, and whether the answer can be believed. */
import { formatCountOf } from "../../lib/format.ts";
import { HOUR } from "../../lib/time_units.ts";
import type { Backend } from "../../lib/client/backend.ts";
import { walkHistory } from "../../lib/client/walks/lists.ts";
import { detectOrder } from "../../lib/runs/load_runs.ts";
import { timeOf, withZone } from "../../lib/runs/times.ts";
import type { ReportRun } from "../../lib/types.ts";
import type { WatchedRun } from "../store/runs/store_runs.ts";
import type { StoredRunText } from "../store/runs/read_runs.ts";
import { StaleAnswerError } from "./service_access.ts";

/** How many of the newest runs a poll requests; the overlap finds runs that are listed late. */
export const USUAL_RUNS = 50;
/** The most runs that are read at once if the newest come first. */
const MAX_RUNS = 1000;
const PAGE = 250;
/** After this many stored runs in a row, nothing new is expected further back. */
const OVERLAP = 10;
/** For how long an unfinished run counts as going, and is read again. */
const GOING_MS = 48 * HOUR;

interface StoredHistory {
  /** The newest stored runs, newest first. */
  readonly newest: readonly StoredRunText[];
  readonly count: number;
}

export interface HistoryChanges {
  readonly put: readonly WatchedRun[];
  readonly removed: readonly number[];
  /** Whether the history was read from its beginning to its end. */
  readonly isWhole: boolean;
}

interface ReadOptions {
  readonly now: number;
  readonly zone: string;
  readonly signal: AbortSignal;
  /** Runs that started before are not stored, but the newest is. By default, all are. */
  readonly retainedSince?: number;
}

/** @throws {StaleAnswerError} If the answer is older than one before, unless it is believed. */
export async function readChanges(
  backend: Backend,
  scheduleId: number,
  stored: StoredHistory,
  { isBelieved = () => false, ...options }: ReadOptions & {
    readonly isBelieved?: (stale: StaleAnswerError) => boolean;
  },
): Promise<HistoryChanges> {
  let read = await readRows(backend, scheduleId, stored, { ...options, mayJump: true });
  let removed = missingFrom(read.rows, stored);
  // A history in no order may begin as if the oldest came first: its newest runs are anywhere.
  if (!read.hasBegin && (removed.length > 0 || orderOfRows(read.rows) === "unknown")) {
    read = await readRows(backend, scheduleId, stored, { ...options, mayJump: false });
    removed = missingFrom(read.rows, stored);
  }
  const { put, reopened, hasBegin, hasEnd } = read;
  if (removed.length > 0 || reopened.length > 0) {
    const stale = staleAnswer(scheduleId, removed, reopened);
    if (!isBelieved(stale)) throw stale;
  }
  return { put, removed, isWhole: hasBegin && hasEnd };
}

/** Reads until nothing new is expected; with `mayJump` from near the end if the oldest come first. */
async function readRows(
  backend: Backend,
  scheduleId: number,
  stored: StoredHistory,
  { now, zone, signal, retainedSince = -Infinity, mayJump }: ReadOptions & {
    readonly mayJump: boolean;
  },
) {
  const byId = new Map(stored.newest.map((run) => [run.id, run]));
  const unfinished = new Set(stored.newest.filter((run) => isGoing(run, now)).map(({ id }) => id));
  const listed = new Set<number>();
  const rows: WatchedRun[] = [];
  const put: WatchedRun[] = [];
  const reopened: number[] = [];
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
    if (mayJump && first && skip > 0 && orderOfRows(read) === "oldest first") {
      // The newest are at the end, so start again a little before it.
      await pages.return?.(undefined);
      hasBegin = false;
      pages = walkHistory(backend, scheduleId, { limit: PAGE, skip, signal }).pages();
      continue;
    }
    for (const row of read) {
      // Some services repeat rows.
      if (listed.has(row.id)) continue;
      listed.add(row.id);
      const before = byId.get(row.id);
      const isKnown = before?.text === JSON.stringify(row.run);
      rows.push(row);
      unfinished.delete(row.id);
      knownInARow = isKnown || toStart(row) < retainedSince ? knownInARow + 1 : 0;
      if (isKnown) continue;
      put.push(row);
      if (before && !row.run.endTime && !isUnfinished(before)) reopened.push(row.id);
    }
    const order = orderOfRows(rows);
    const isRead = order === "newest first" && knownInARow >= OVERLAP && unfinished.size === 0;
    // If the oldest come first, the newest are at the end, so read on.
    const isFar = rows.length >= MAX_RUNS && order !== "oldest first";
    if (isRead || isFar && (order === "newest first" || hasNewestInFront(rows, stored))) {
      hasEnd = false;
      await pages.return?.(undefined);
      break;
    }
  }
  const newest = rows.reduce((latest, { start }) => Math.max(latest, start ?? 0), 0);
  const isStored = (row: WatchedRun) => toStart(row) >= Math.min(retainedSince, newest);
  return { rows, put: put.filter(isStored), reopened, hasBegin, hasEnd };
}

/** When a run started. A run that has no start time counts as the latest. */
export function toStart({ start }: WatchedRun): number {
  return start ?? Infinity;
}

/** Whether the newest runs known come nearly first. Otherwise, new ones may be anywhere. */
function hasNewestInFront(rows: readonly WatchedRun[], { newest }: StoredHistory): boolean {
  const front = new Set(rows.slice(0, 2 * USUAL_RUNS).map(({ id }) => id));
  return newest.every(({ id }) => front.has(id));
}

function staleAnswer(
  scheduleId: number,
  removed: readonly number[],
  reopened: readonly number[],
): StaleAnswerError {
  const runs = formatCountOf(removed.length, "run that was", "runs that were");
  const parts = [
    removed.length > 0 && `lacks ${runs} read before, such as ${removed[0]}`,
    reopened.length > 0 && `shows run ${reopened[0]} as it was before it ended`,
  ];
  const why = parts.filter((part) => part !== false).join(", and ");
  return new StaleAnswerError(`schedule ${scheduleId} ${why}`, [...removed, ...reopened]);
}

/** The stored runs that an answer lacks, though it lists older ones, or nothing at all. */
function missingFrom(rows: readonly WatchedRun[], { newest }: StoredHistory): readonly number[] {
  if (rows.length === 0) return newest.map(({ id }) => id);
  if (orderOfRows(rows) === "unknown") return [];
  const ids = new Set(rows.map(({ id }) => id));
  const oldest = rows.reduce((least, { start }) => Math.min(least, start ?? Infinity), Infinity);
  // The service may have dropped older ones because of their age.
  return newest.filter(({ id, start }) => !ids.has(id) && start !== null && start > oldest)
    .map(({ id }) => id);
}

/** Whether a run has not ended, and started so lately that it may end. */
export function isGoing(run: StoredRunText, now: number): boolean {
  return (run.start ?? 0) > now - GOING_MS && (run.start ?? 0) <= now && isUnfinished(run);
}

function isUnfinished({ text }: StoredRunText): boolean {
  return !JSON.parse(text).endTime;
}

export function watchedRun(run: ReportRun, zone: string): WatchedRun {
  const zoned = withZone(run, zone);
  return { id: run.id, start: timeOf(zoned.startTime) ?? null, run: zoned };
}

function orderOfRows(rows: readonly WatchedRun[]): ReturnType<typeof detectOrder> {
  const starts = rows.map(({ start }) => start).filter((start) => start !== null);
  return rows.length > 1 ? detectOrder(starts) : "newest first";
}
