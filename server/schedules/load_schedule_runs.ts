/** Loads a schedule's runs for its pages: from Docket's own store directly, or from an upstream. */
import { LRUCache } from "lru-cache";
import type { Backend } from "../../lib/client/backend.ts";
import type { Runtime } from "../../lib/client/transport/runtime.ts";
import { LOAD, type LoadedRuns, loadRuns } from "../../lib/runs/load_runs.ts";
import { withShortTexts } from "../../lib/runs/short_texts.ts";
import { newestFirst } from "../../lib/runs/times.ts";
import type { Store } from "../store/store.ts";

const MAX_SIZE = 200_000;

/** Loaded runs by schedule, number of runs and version of the data. */
type RunCache = LRUCache<string, LoadedRuns>;

export function createRunCache(maxSize = MAX_SIZE): RunCache {
  return new LRUCache({ maxSize, sizeCalculation: sizeOf });
}

function sizeOf({ runs }: LoadedRuns): number {
  return runs.reduce((sum, { recipients }) => sum + 1 + (recipients?.length ?? 0), 1);
}

/** The newest runs: the same object at the same version of the store's data. */
export async function loadScheduleRuns(
  { store, backend, runCache, runtime, zone }: {
    /** Docket's own store; null with an upstream. */
    readonly store: Pick<Store, "newestRuns" | "runsVersion"> | null;
    /** The service as the reader's token sees it. */
    readonly backend: Backend;
    readonly runCache: RunCache;
    readonly runtime: Runtime;
    /** IANA name of the zone of the service's times without one. */
    readonly zone: string;
  },
  scheduleId: number,
  { runs: most = LOAD.runs, signal }: { readonly runs?: number; readonly signal: AbortSignal },
): Promise<LoadedRuns> {
  if (!store) return await loadRuns(backend, scheduleId, { runs: most, zone, signal, runtime });
  const name = `${scheduleId} ${most} ${await store.runsVersion()}`;
  const cached = runCache.get(name);
  if (cached) return cached;
  const { runs, hasOlder } = await store.newestRuns(scheduleId, most);
  const loaded: LoadedRuns = {
    runs: newestFirst(runs.map(withShortTexts)),
    repeated: [],
    stopped: hasOlder ? "enough" : "end",
    older: hasOlder,
    newer: false,
  };
  runCache.set(name, loaded);
  return loaded;
}
