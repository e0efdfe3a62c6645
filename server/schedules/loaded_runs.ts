/** Loads the newest stored runs of a schedule for its pages, and has a worker judge them, anew each minute. */
import { LRUCache } from "lru-cache";
import type { JudgeOptions, Verdict } from "../../lib/judgement/judge_schedule.ts";
import { type LoadedRuns, type RunHistory, withShortTexts } from "../../lib/runs/load_runs.ts";
import { possibleRuns } from "../../lib/runs/occurrences.ts";
import { newestFirst } from "../../lib/runs/times.ts";
import { MINUTE } from "../../lib/time_units.ts";
import { ProblemError } from "../http/problem.ts";
import type { storedRunsOn } from "../store/runs/read_runs.ts";

interface RunsToJudge extends LoadedRuns {
  /** Of stored runs: another one once any stored run has changed. */
  readonly key?: string;
}

/** At most `max` runs. */
export async function loadStoredRuns(
  stored: Pick<ReturnType<typeof storedRunsOn>, "newest" | "version">,
  scheduleId: number,
  { max, isWhole }: {
    readonly max: number;
    /** Whether all runs that the service has are stored. */
    readonly isWhole: boolean;
  },
): Promise<RunsToJudge> {
  // Read before the runs: what changes in between is judged under the next version.
  const key = `${scheduleId} ${max} ${isWhole} ${await stored.version()}`;
  const found = await stored.newest(scheduleId, max + 1);
  const olderUnread = found.length > max || !isWhole;
  return {
    key,
    runs: newestFirst(found.slice(0, max).map(({ run }) => withShortTexts(run))),
    stopped: olderUnread ? "enough" : "end",
    olderUnread,
    newerUnread: false,
  };
}

export interface JudgingOptions extends JudgeOptions {
  readonly judgeHistory: (
    history: RunHistory,
    options: JudgeOptions,
  ) => Promise<Omit<Verdict, "runs">>;
}

/** Without their runs. */
const verdicts = new LRUCache<string, Promise<Omit<Verdict, "runs">>>({ max: 200 });

/** The verdict on these runs. @throws {ProblemError} If they could not be judged */
export async function judgeLoaded(
  { key, runs, olderUnread, newerUnread }: RunsToJudge,
  { judgeHistory, ...options }: JudgingOptions,
): Promise<Verdict> {
  const { now, ...others } = options;
  const question = JSON.stringify([key, others, Math.floor(now / MINUTE)]);
  const known = key === undefined ? undefined : verdicts.get(question);
  const verdict = known ?? judgeHistory({ runs, olderUnread, newerUnread }, options);
  if (key !== undefined) verdicts.set(question, verdict);
  try {
    return { ...await verdict, runs: possibleRuns(runs, now) };
  } catch (cause) {
    // The next request tries again.
    verdicts.delete(question);
    throw new ProblemError(503, "The runs could not be judged; please try again", {
      cause,
      retryAfterSeconds: 5,
    });
  }
}
