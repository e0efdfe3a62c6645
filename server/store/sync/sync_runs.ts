/**
 * Copies the history of a report schedule. The first time all of it; later, where the service is
 * seen to answer newest first, what is new, what may have come late, and what had not finished.
 */
import type { Checkpoint, ReportRun } from "../../../lib/mod.ts";
import { walkHistory } from "../../../lib/client/walks/lists.ts";
import { readEntry } from "../import/entries.ts";
import { LIMITS } from "../search/validate.ts";
import type { Store } from "../store.ts";
import { walkOn } from "./resume.ts";
import {
  type Copying,
  copying,
  markAsGone,
  markedAsGone,
  type SyncSource,
  type SyncSummary,
} from "./sync_file_sets.ts";

const DAY_MS = 86_400_000;
/** A run may show up later than newer ones: so far back a sync looks for more, in any case. */
const WINDOW_MS = 7 * DAY_MS;
/** It also looks back until this many runs in a row were known and unchanged. */
const OVERLAP = 50;
/** A run that had not finished is requested again until newer runs are newer by this much. */
const UNFINISHED_MS = 365 * DAY_MS;

interface Progress {
  /** Where an interrupted walk goes on. */
  readonly checkpoint?: Checkpoint;
  /** When the newest run started that a whole sync had copied, with everything before it. */
  readonly horizon?: number;
}

export async function syncRuns(
  store: Store,
  source: SyncSource,
  scheduleId: number,
): Promise<SyncSummary> {
  const name = `sync ${source.baseUrl} runs ${scheduleId}`;
  const progress: Progress = source.isFull ? {} : JSON.parse(await store.note(name) ?? "{}");
  const { checkpoint: resume, horizon } = progress;
  const list = source.client.reportSchedules.history(scheduleId, { limit: source.limit });
  const walk = walkOn(list, resume);
  const copy = copying(store, source);
  const order = watchOrder();
  const seen = new Set<number>();
  const isKnown = await knownRuns(store, scheduleId);
  let known = 0;
  let readUntil = -Infinity;
  for await (const page of walk.pages()) {
    for (const run of page) {
      order.see(run);
      seen.add(run.id);
      known = isKnown(run) ? known + 1 : 0;
      copy.take(run.id, readEntry(run, scheduleId));
    }
    const oldest = startOf(page[page.length - 1] ?? {});
    const isOverlapped = known >= OVERLAP && oldest < horizon! - WINDOW_MS;
    if (order.isNewestFirst() && isOverlapped) {
      readUntil = oldest;
      break;
    }
    if (copy.waiting() < source.limit) continue;
    const next: Progress = { checkpoint: walk.checkpoint(), horizon };
    await copy.put({ [name]: JSON.stringify(next) });
  }
  await copy.put({}, [scheduleId]);
  await refreshUnfinished(store, source, scheduleId, seen, copy);
  const done: Progress = { horizon: await newestStart(store, scheduleId) };
  await copy.put({ [name]: JSON.stringify(done) });
  const hasDrift = walk.report.driftCount > 0;
  // What an interrupted sync had read is not known any more.
  const marked = (await markedAsGone<number>(store, name)).filter((id) => !seen.has(id));
  const gone = resume || hasDrift
    ? marked
    : await unseenRuns(store, scheduleId, seen, { readUntil, marked: new Set(marked) });
  await markAsGone(store, name, gone);
  return { ...copy.summary(), gone: gone.length, hasDrift };
}

/** Tells which runs are among the newest ones in the store, with the same values. */
async function knownRuns(store: Store, scheduleId: number): Promise<(run: ReportRun) => boolean> {
  const known = new Map<number, string>();
  if (await store.hasSchedule(scheduleId)) {
    const newest = await store.reportSchedules.history(scheduleId, { limit: LIMITS.pageSize });
    for (const run of newest) known.set(run.id, JSON.stringify(run));
  }
  return (run) => {
    const entry = readEntry(run, scheduleId);
    return "run" in entry && known.get(run.id) === JSON.stringify(entry.run);
  };
}

/** Watches whether runs come newest first: each no later than the one before, and not all at once. */
function watchOrder() {
  let last: number | undefined;
  let isDescending = true;
  let hasFallen = false;
  return {
    see(run: ReportRun): void {
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

/** Every run of a schedule in the store, newest first, with its place. */
async function* storedRuns(
  store: Store,
  scheduleId: number,
): AsyncGenerator<readonly [place: number, run: ReportRun]> {
  let place = 0;
  const pages = walkHistory(store, scheduleId, { limit: LIMITS.pageSize }).pages();
  for await (const page of pages) for (const run of page) yield [place++, run];
}

/** Asks again for runs that had not finished, by the page where each must be by now. */
async function refreshUnfinished(
  store: Store,
  source: SyncSource,
  scheduleId: number,
  seen: Set<number>,
  copy: Copying,
): Promise<void> {
  const newest = await newestStart(store, scheduleId) ?? 0;
  for await (const [place, run] of storedRuns(store, scheduleId)) {
    if (newest - startOf(run) > UNFINISHED_MS) return;
    if (run.endTime !== undefined || seen.has(run.id)) continue;
    const skip = Math.max(0, place - Math.floor(source.limit / 2));
    const page = await source.client.reportSchedules.history(scheduleId, {
      limit: source.limit,
      skip,
    });
    for (const found of page) {
      if (seen.has(found.id)) continue;
      seen.add(found.id);
      copy.take(found.id, readEntry(found, scheduleId));
    }
  }
}

/**
 * The stored runs that the service did not give, back to where it was read, and further back those that
 * were marked before.
 */
async function unseenRuns(
  store: Store,
  scheduleId: number,
  seen: ReadonlySet<number>,
  { readUntil, marked }: { readonly readUntil: number; readonly marked: ReadonlySet<number> },
): Promise<number[]> {
  const unseen: number[] = [];
  for await (const [, run] of storedRuns(store, scheduleId)) {
    const wasRead = startOf(run) > readUntil;
    if (!wasRead && marked.size === 0) break;
    if (!seen.has(run.id) && (wasRead || marked.has(run.id))) unseen.push(run.id);
  }
  return unseen;
}

async function newestStart(store: Store, scheduleId: number): Promise<number | undefined> {
  const [newest] = await store.reportSchedules.history(scheduleId, { limit: 1 });
  return newest && startOf(newest);
}
