/** Has a worker judge loaded runs, anew each minute, as a run may have become overdue. */
import { LRUCache } from "lru-cache";
import { MINUTE } from "../../lib/time_units.ts";
import type { JudgeOptions, Verdict } from "../../lib/judgement/judge_schedule.ts";
import type { LoadedRuns, RunHistory } from "../../lib/runs/load_runs.ts";
import { possibleRuns } from "../../lib/runs/occurrences.ts";
import { ProblemError } from "../http/problem.ts";

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
