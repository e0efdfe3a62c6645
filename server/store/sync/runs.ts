/**
 * Copies the history of a report schedule. The first time all of it; later, where the service is
 * seen to answer newest first, only what is new and what had not finished.
 *
 * @module
 */

import type { Checkpoint, ReportRun } from "../../../lib/mod.ts";
import { readEntry } from "../import/entries.ts";
import type { Store } from "../store.ts";
import { walkOn } from "./resume.ts";
import { type Copying, copying, type SyncSource, type SyncSummary } from "./sync.ts";

/** How far the sync of one history is. */
interface Progress {
  /** Where an interrupted walk goes on. */
  readonly checkpoint?: Checkpoint;
  /** When the newest run started that a whole sync had copied, with everything before it. */
  readonly horizon?: number;
}

/** How many runs around its likely place are asked for to find one run again, one after the other. */
const WINDOWS = [1, 20];

/** Copies the history of one schedule. */
export async function syncRuns(
  store: Store,
  source: SyncSource,
  scheduleId: number,
): Promise<SyncSummary> {
  const name = `sync ${source.baseUrl} runs ${scheduleId}`;
  const progress: Progress = JSON.parse(await store.note(name) ?? "{}");
  const { checkpoint: resume, horizon } = progress;
  const list = source.client.reportSchedules.history(scheduleId, { limit: source.limit });
  const walk = walkOn(list, resume);
  const copy = copying(store, source);
  const order = newestFirst();
  const seen = new Set<number>();
  for await (const run of walk) {
    order.see(run);
    if (horizon !== undefined && order.isSeen() && startOf(run) < horizon) break;
    seen.add(run.id);
    copy.take(run.id, readEntry(run, scheduleId));
    if (copy.waiting() < source.limit) continue;
    const next: Progress = { checkpoint: walk.checkpoint(), horizon };
    await copy.put({ [name]: JSON.stringify(next) });
  }
  await copy.put({}, [scheduleId]);
  await refreshUnfinished(store, source, scheduleId, seen, copy);
  const done: Progress = { horizon: await newestStart(store, scheduleId) };
  await copy.put({ [name]: JSON.stringify(done) });
  return { ...copy.summary(), hasDrift: walk.report.driftCount > 0 };
}

/** Watches whether runs come newest first: each no later than the one before, and not all at once. */
function newestFirst() {
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
    isSeen: () => isDescending && hasFallen,
  };
}

function startOf(run: ReportRun): number {
  return Date.parse(run.startTime ?? "");
}

/** Asks again for runs that had not finished, each near the place where it must be by now. */
async function refreshUnfinished(
  store: Store,
  source: SyncSource,
  scheduleId: number,
  seen: Set<number>,
  copy: Copying,
): Promise<void> {
  let skip = 0;
  while (true) {
    const stored = await store.reportSchedules.history(scheduleId, { limit: 1000, skip });
    for (const [index, run] of stored.entries()) {
      if (run.endTime !== undefined) continue;
      for (const limit of WINDOWS) {
        if (seen.has(run.id)) break;
        const from = Math.max(0, skip + index - Math.floor(limit / 2));
        const options = { limit: Math.min(limit, source.limit), skip: from };
        for (const found of await source.client.reportSchedules.history(scheduleId, options)) {
          if (seen.has(found.id)) continue;
          seen.add(found.id);
          copy.take(found.id, readEntry(found, scheduleId));
        }
      }
    }
    if (stored.length < 1000) return;
    skip += stored.length;
  }
}

async function newestStart(store: Store, scheduleId: number): Promise<number | undefined> {
  const [newest] = await store.reportSchedules.history(scheduleId, { limit: 1 });
  return newest && startOf(newest);
}
