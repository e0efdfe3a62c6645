/** Loads the newest stored runs of a schedule for its pages. */
import { LRUCache } from "lru-cache";
import { type LoadedRuns, withShortTexts } from "../../lib/runs/load_runs.ts";
import { newestFirst } from "../../lib/runs/times.ts";
import type { storedRunsOn } from "../store/runs/read_runs.ts";

const MAX_SIZE = 200_000;

type RunCache = LRUCache<string, LoadedRuns>;

export function createRunCache(): RunCache {
  return new LRUCache({ maxSize: MAX_SIZE, sizeCalculation: countEntries });
}

function countEntries({ runs }: LoadedRuns): number {
  return runs.reduce((sum, { recipients }) => sum + 1 + (recipients?.length ?? 0), 1);
}

/** At most `max` runs. Returns the same object while no stored run changes. */
export async function loadStoredRuns(
  { runs, runCache }: {
    readonly runs: Pick<ReturnType<typeof storedRunsOn>, "newest" | "version">;
    readonly runCache: RunCache;
  },
  scheduleId: number,
  { max, isWhole }: {
    readonly max: number;
    /** Whether all runs that the service has are stored. */
    readonly isWhole: boolean;
  },
): Promise<LoadedRuns> {
  const key = `${scheduleId} ${max} ${isWhole} ${await runs.version()}`;
  const cached = runCache.get(key);
  if (cached) return cached;
  const stored = await runs.newest(scheduleId, max + 1);
  const olderUnread = stored.length > max || !isWhole;
  const loaded: LoadedRuns = {
    runs: newestFirst(stored.slice(0, max).map(({ run }) => withShortTexts(run))),
    stopped: olderUnread ? "enough" : "end",
    olderUnread,
    newerUnread: false,
  };
  runCache.set(key, loaded);
  return loaded;
}
