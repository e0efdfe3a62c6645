/** Loads a schedule's runs for its pages, directly from Docket's store or from an upstream. */
import { LRUCache } from "lru-cache";
import type { Backend } from "../../lib/client/backend.ts";
import type { Runtime } from "../../lib/client/transport/runtime.ts";
import { LOAD, type LoadedRuns, loadRuns } from "../../lib/runs/load_runs.ts";
import { withShortTexts } from "../../lib/runs/short_texts.ts";
import { newestFirst } from "../../lib/runs/times.ts";
import type { Store } from "../store/store.ts";

const MAX_SIZE = 200_000;

type RunCache = LRUCache<string, LoadedRuns>;

export function createRunCache(): RunCache {
  return new LRUCache({ maxSize: MAX_SIZE, sizeCalculation: countEntries });
}

function countEntries({ runs }: LoadedRuns): number {
  return runs.reduce((sum, { recipients }) => sum + 1 + (recipients?.length ?? 0), 1);
}

/** The newest runs. Returns the same object while the store's data does not change. */
export async function loadScheduleRuns(
  { store, backend, runCache, runtime, zone }: {
    /** Docket's own store; null with an upstream. */
    readonly store: Pick<Store, "newestRuns" | "runsVersion"> | null;
    readonly backend: Backend;
    readonly runCache: RunCache;
    readonly runtime: Runtime;
    /** The IANA name of the zone for times of the service without a zone. */
    readonly zone: string;
  },
  scheduleId: number,
  { runs: max = LOAD.runs, signal }: { readonly runs?: number; readonly signal: AbortSignal },
): Promise<LoadedRuns> {
  if (!store) return await loadRuns(backend, scheduleId, { runs: max, zone, signal, runtime });
  const key = `${scheduleId} ${max} ${await store.runsVersion()}`;
  const cached = runCache.get(key);
  if (cached) return cached;
  const { runs, hasOlder } = await store.newestRuns(scheduleId, max);
  const loaded: LoadedRuns = {
    runs: newestFirst(runs.map(withShortTexts)),
    stopped: hasOlder ? "enough" : "end",
    olderUnread: hasOlder,
    newerUnread: false,
  };
  runCache.set(key, loaded);
  return loaded;
}
