/** Judges loaded runs, and caches the verdict for a minute, in which a run may become overdue. */
import { LRUCache } from "lru-cache";
import { MINUTE } from "../../lib/time_units.ts";
import type { JudgeOptions, Verdict } from "../../lib/judgement/judge_schedule.ts";
import type { Plan } from "../../lib/judgement/plans/plan.ts";
import type { LoadedRuns, RunHistory } from "../../lib/runs/load_runs.ts";
import { ProblemError } from "../http/problem.ts";
import { createSharedCalls } from "./shared_calls.ts";

export interface JudgingOptions extends Omit<JudgeOptions, "plans"> {
  readonly plan?: Plan | null;
  readonly judgeHistory: (
    history: RunHistory,
    options: JudgeOptions,
    signal?: AbortSignal,
  ) => Promise<Omit<Verdict, "runs">>;
  readonly signal?: AbortSignal;
}

const MAX_VERDICTS = 16;

const judged = new WeakMap<
  LoadedRuns,
  LRUCache<
    string,
    { verdict: Verdict | null; readonly share: ReturnType<typeof createSharedCalls> }
  >
>();

/**
 * The verdict on these runs. Concurrent requests share the work, until none of them waits any more.
 * @throws {ProblemError} If the runs could not be judged
 */
export async function judgeLoaded(loaded: LoadedRuns, options: JudgingOptions): Promise<Verdict> {
  const { judgeHistory: _, signal, now, ...others } = options;
  signal?.throwIfAborted();
  const verdicts = judged.get(loaded) ?? new LRUCache({ max: MAX_VERDICTS });
  judged.set(loaded, verdicts);
  const minute = Math.floor(now / MINUTE);
  const question = JSON.stringify([others, minute]);
  const cached = verdicts.get(question) ?? { verdict: null, share: createSharedCalls() };
  verdicts.set(question, cached);
  return cached.verdict ?? await cached.share("verdict", signal, async (shared) => {
    cached.verdict = await judge(loaded, { ...options, signal: shared });
    return cached.verdict;
  });
}

async function judge(
  loaded: LoadedRuns,
  { judgeHistory, signal, plan, ...others }: JudgingOptions,
): Promise<Verdict> {
  const options = { ...others, ...(plan && { plans: [plan] }) };
  try {
    const { runs, olderUnread, newerUnread } = loaded;
    const verdict = await judgeHistory({ runs, olderUnread, newerUnread }, options, signal);
    return { ...verdict, runs };
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ProblemError(503, "The runs could not be judged; please try again", {
      cause,
      retryAfterSeconds: 5,
    });
  }
}
