/** Loads the newest stored runs of a schedule for its pages, and has a worker judge them, anew each minute. */
import { LRUCache } from "lru-cache";
import type { JudgeOptions, Verdict } from "../../lib/judgement/judge_schedule.ts";
import { type LoadedRuns, type RunHistory, withShortTexts } from "../../lib/runs/load_runs.ts";
import { possibleRuns } from "../../lib/runs/occurrences.ts";
import { newestFirst } from "../../lib/runs/times.ts";
import { MINUTE } from "../../lib/time_units.ts";
import { ProblemError } from "../http/problem.ts";
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

export interface JudgingOptions extends JudgeOptions {
  readonly judgeHistory: (
    history: RunHistory,
    options: JudgeOptions,
  ) => Promise<Omit<Verdict, "runs">>;
}

const MAX_VERDICTS = 16;

const judged = new WeakMap<LoadedRuns, LRUCache<string, Promise<Verdict>>>();

/**
 * The verdict on these runs, which pages share while the runs are cached.
 * @throws {ProblemError} If the runs could not be judged
 */
export function judgeLoaded(loaded: LoadedRuns, options: JudgingOptions): Promise<Verdict> {
  const { judgeHistory: _, now, ...others } = options;
  const verdicts = judged.get(loaded) ?? new LRUCache({ max: MAX_VERDICTS });
  judged.set(loaded, verdicts);
  const question = JSON.stringify([others, Math.floor(now / MINUTE)]);
  const cached = verdicts.get(question);
  if (cached) return cached;
  const verdict = judgeOrProblem(loaded, options);
  verdicts.set(question, verdict);
  // The next request tries again.
  verdict.catch(() => verdicts.delete(question));
  return verdict;
}

async function judgeOrProblem(
  loaded: LoadedRuns,
  { judgeHistory, ...options }: JudgingOptions,
): Promise<Verdict> {
  try {
    const { runs, olderUnread, newerUnread } = loaded;
    const verdict = await judgeHistory({ runs, olderUnread, newerUnread }, options);
    return { ...verdict, runs: possibleRuns(runs, options.now) };
  } catch (cause) {
    throw new ProblemError(503, "The runs could not be judged; please try again", {
      cause,
      retryAfterSeconds: 5,
    });
  }
}
