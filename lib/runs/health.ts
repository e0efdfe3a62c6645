import type { ReportRun } from "../types.ts";
import { meaningOfRun, type StatusDictionary } from "./status.ts";
import { newestFirst } from "./times.ts";

/** How a schedule is doing, by the statuses of its runs. */
export interface RunHealth<Run> {
  /** Number of runs that were judged. */
  readonly count: number;
  /** Number of runs of each meaning. */
  readonly counts: Readonly<Record<"good" | "bad" | "pending" | "unknown", number>>;
  /** Share of good runs among good and bad ones, or null if there are neither. */
  readonly successRate: number | null;
  /** The newest run. */
  readonly latest: Run | null;
  /** The newest good run. */
  readonly lastGood: Run | null;
  /** The latest runs in a row with the same outcome; null if no run is good or bad. */
  readonly streak: {
    /** Their outcome. A run with an unknown status ends a streak of good ones; others are ignored. */
    readonly meaning: "good" | "bad";
    /** How many there are. */
    readonly count: number;
    /** The first of them. */
    readonly first: Run;
    /** The last of them. */
    readonly last: Run;
    /** Whether older runs, which were not judged, may belong to the streak. */
    readonly reachesBack: boolean;
  } | null;
  /** The longest streak of bad runs, the newest of several; null if there is none. */
  readonly longestBad: RunHealth<Run>["streak"];
}

type Streak<Run> = NonNullable<RunHealth<Run>["streak"]>;

/** Judges runs that have a start by their statuses. Only an unknown one among good runs ends their streak. */
export function judgeHealth<Run extends ReportRun>(
  runs: readonly Run[],
  dictionary: StatusDictionary,
): RunHealth<Run> {
  const started = newestFirst(runs);
  const counts = { good: 0, bad: 0, pending: 0, unknown: 0 };
  for (const run of runs) counts[meaningOfRun(run, dictionary)]++;
  const streaks = findStreaks(started, dictionary);
  const bad = streaks.filter(({ meaning }) => meaning === "bad");
  const judged = counts.good + counts.bad;
  return {
    count: runs.length,
    counts,
    successRate: judged === 0 ? null : counts.good / judged,
    latest: started[0] ?? null,
    lastGood: started.find((run) => meaningOfRun(run, dictionary) === "good") ?? null,
    streak: streaks[0] ?? null,
    longestBad: bad.reduce<Streak<Run> | null>(
      (longest, streak) => longest === null || streak.count > longest.count ? streak : longest,
      null,
    ),
  };
}

function findStreaks<Run extends ReportRun>(
  runs: readonly Run[],
  dictionary: StatusDictionary,
): Streak<Run>[] {
  const streaks: { -readonly [Key in keyof Streak<Run>]: Streak<Run>[Key] }[] = [];
  let isBroken = false;
  for (const run of runs) {
    const meaning = meaningOfRun(run, dictionary);
    isBroken ||= meaning === "unknown";
    if (meaning !== "good" && meaning !== "bad") continue;
    const streak = streaks.at(-1);
    const goesOn = streak?.meaning === meaning && !(isBroken && meaning === "good");
    isBroken = false;
    if (goesOn) {
      streak.count++;
      streak.first = run;
    } else streaks.push({ meaning, count: 1, first: run, last: run, reachesBack: false });
  }
  if (streaks.length > 0) streaks[streaks.length - 1].reachesBack = true;
  return streaks;
}
