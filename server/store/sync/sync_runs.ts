/**
 * Copies the history of a report schedule. The first sync copies all of it. Later ones, if the
 * service answers newest first, copy new runs, runs that may have shown up late, and runs that had
 * not finished.
 */
import type { Checkpoint, ReportRun } from "../../../lib/mod.ts";
import { readEntry } from "../import/entries.ts";
import type { StoredRunTimes } from "../ledger/stored_runs.ts";
import { LIMITS } from "../search/validate.ts";
import type { Store } from "../store.ts";
import {
  type CopiedRows,
  copyRows,
  idsMarkedAsGone,
  markAsGone,
  type SyncSource,
  type SyncSummary,
  walkFrom,
} from "./copy_rows.ts";

const DAY_MS = 86_400_000;
/** A run may show up later than newer ones: a sync always reads at least this far back. */
const WINDOW_MS = 7 * DAY_MS;
/** It also reads on until this many runs in a row were known and unchanged. */
const OVERLAP = 50;
/** A run that had not finished is read again until there are runs newer by this much. */
const UNFINISHED_MS = 365 * DAY_MS;

interface RunSyncState {
  /** Where to resume an interrupted walk. */
  readonly checkpoint?: Checkpoint;
  /** The start of the newest run at the last complete sync. */
  readonly horizon?: number;
}

export async function syncRuns(
  store: Store,
  source: SyncSource,
  scheduleId: number,
): Promise<SyncSummary> {
  const name = `sync ${source.baseUrl} runs ${scheduleId}`;
  const state: RunSyncState = source.isFull ? {} : JSON.parse(await store.note(name) ?? "{}");
  const { checkpoint: resume, horizon } = state;
  const list = source.client.reportSchedules.history(scheduleId, { limit: source.limit });
  const walk = walkFrom(list, resume);
  const copied = copyRows(store, source);
  const order = observeOrder();
  const seen = new Set<number>();
  const isKnown = await knownRuns(store, scheduleId);
  let known = 0;
  let readUntil = -Infinity;
  for await (const page of walk.pages()) {
    for (const run of page) {
      order.observe(run);
      seen.add(run.id);
      known = isKnown(run) ? known + 1 : 0;
      copied.take(run.id, readEntry(run, scheduleId));
    }
    const oldest = startOf(page[page.length - 1] ?? {});
    const isOverlapped = known >= OVERLAP && oldest < horizon! - WINDOW_MS;
    if (order.isNewestFirst() && isOverlapped) {
      readUntil = oldest;
      break;
    }
    if (copied.waiting() < source.limit) continue;
    const next: RunSyncState = { checkpoint: walk.checkpoint(), horizon };
    await copied.put({ [name]: JSON.stringify(next) });
  }
  await copied.put({}, [scheduleId]);
  await refreshUnfinished(await store.runTimes(scheduleId), source, scheduleId, seen, copied);
  await copied.put({});
  await store.pollSoon([scheduleId]);
  const stored = await store.runTimes(scheduleId);
  const done: RunSyncState = { horizon: stored[0]?.start };
  await store.put({ notes: { [name]: JSON.stringify(done) } });
  const hasDrift = walk.report.driftCount > 0;
  const marked = await idsMarkedAsGone<number>(store, name);
  // After an interrupted sync, it is not known which runs the first part of it read.
  const candidates = resume || hasDrift
    ? marked
    : stored.filter(({ id, start }) => start > readUntil || marked.includes(id)).map(({ id }) =>
      id
    );
  const gone = candidates.filter((id) => !seen.has(id));
  await markAsGone(store, name, gone);
  return { ...copied.summary(), gone: gone.length, hasDrift };
}

/** Tells which runs are among the newest in the store, with the same values. */
async function knownRuns(store: Store, scheduleId: number): Promise<(run: ReportRun) => boolean> {
  const known = new Map<number, string>();
  if (await store.hasSchedule(scheduleId)) {
    const { runs } = await store.newestRuns(scheduleId, LIMITS.pageSize);
    for (const run of runs) known.set(run.id, JSON.stringify(run));
  }
  return (run) => {
    const entry = readEntry(run, scheduleId);
    return "run" in entry && known.get(run.id) === JSON.stringify(entry.run);
  };
}

/** Observes whether runs come newest first: each no later than the one before, and not all at once. */
function observeOrder() {
  let last: number | undefined;
  let isDescending = true;
  let hasFallen = false;
  return {
    observe(run: ReportRun): void {
      const start = startOf(run);
      if (last !== undefined) {
        if (!(start <= last)) isDescending = false;
        if (start < last) hasFallen = true;
      }
      last = start;
    },
    isNewestFirst: () => isDescending && hasFallen,
  };
}

function startOf(run: Pick<ReportRun, "startTime">): number {
  return Date.parse(run.startTime ?? "");
}

/** Reads runs again that had not finished, each by the page on which it must be by now. */
async function refreshUnfinished(
  stored: readonly StoredRunTimes[],
  source: SyncSource,
  scheduleId: number,
  seen: Set<number>,
  copied: CopiedRows,
): Promise<void> {
  for (const [place, { id, start, end }] of stored.entries()) {
    if (stored[0].start - start > UNFINISHED_MS) return;
    if (end !== null || seen.has(id)) continue;
    const skip = Math.max(0, place - Math.floor(source.limit / 2));
    const page = await source.client.reportSchedules.history(scheduleId, {
      limit: source.limit,
      skip,
    });
    for (const found of page) {
      if (seen.has(found.id)) continue;
      seen.add(found.id);
      copied.take(found.id, readEntry(found, scheduleId));
    }
  }
}
