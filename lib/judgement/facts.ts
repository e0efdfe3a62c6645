/** The facts about a schedule, from its runs and its plan, in which reasons are found. */
import { DAY } from "../time_units.ts";
import type { ReportRun } from "../types.ts";
import type { RunHistory } from "../runs/load_runs.ts";
import { lowerBound } from "../runs/numbers.ts";
import {
  type Occurrences,
  occurrencesOf,
  type TimedRun,
  type TimedRuns,
  timedRuns,
  timesOf,
} from "../runs/occurrences.ts";
import { withoutRepeated } from "../runs/repeated.ts";
import { isOpen } from "../runs/status.ts";
import { newestFirst } from "../runs/times.ts";
import {
  CONTENT_VERSION,
  type ContentMemory,
  emptyContent,
  updateContent,
} from "./content/content.ts";
import { type Expected, expectedAt } from "./decisions.ts";
import { excusedBy } from "./excused.ts";
import { followBefore, followConfirmed } from "./followed_plans.ts";
import { judgedPlan, type JudgeOptions, type Verdict } from "./verdict.ts";
import { spansOfDays } from "./plans/calendar.ts";
import { plansFollowed } from "./plans/infer.ts";
import type { Plan } from "./plans/plan.ts";
import type { SeenKinds } from "./seen_kinds.ts";
import { type Skew, skewOf } from "./skew.ts";
import { type JudgedSlots, judgeSlots } from "./slots.ts";
import { type Streaks, streaksOf } from "./streaks.ts";

/** What judging newer runs needs to know of earlier ones: plain JSON. */
interface Carried {
  readonly content?: ContentMemory;
  readonly seen?: SeenKinds;
  /** The streaks before the first run that has not ended. */
  readonly streaks?: Streaks;
  readonly skew?: Skew;
}

export interface WatchJudgeOptions extends Omit<JudgeOptions, "plan"> {
  /** The plan, or null if the schedule has none. By default it is inferred. */
  readonly plan?: Plan | null | undefined;
  /** Whether the plan was inferred from other runs, and nobody confirmed it. */
  readonly isInferred?: boolean;
}

export interface KnownRuns extends TimedRuns<ReportRun> {
  /** All runs, newest first, each id once; those whose id another run has are `repeated`. */
  readonly runs: readonly ReportRun[];
  readonly repeated: readonly ReportRun[];
  readonly newerUnread: boolean;
}

export function knownRuns(
  { runs, newerUnread = false }: RunHistory,
  { now, statuses }: Pick<JudgeOptions, "now" | "statuses">,
): KnownRuns {
  const { runs: single, repeated } = withoutRepeated(runs);
  const inOrder = newestFirst(single);
  return { ...timedRuns(inOrder, now, statuses), runs: inOrder, repeated, newerUnread };
}

export interface Facts extends KnownRuns, Pick<Verdict, "schedule"> {
  readonly now: number;
  readonly isConfirmed: boolean;
  readonly occurrences: Occurrences<ReportRun>;
  readonly judged: JudgedSlots<ReportRun>;
  readonly content: ContentMemory;
  readonly expected: Expected;
  readonly streaks: Streaks | undefined;
  readonly skew: Skew;
  readonly leavers: NonNullable<JudgeOptions["leavers"]>;
  readonly carried: Carried;
}

/** Finds the facts. Runs from before a confirmed plan are judged by a plan inferred from them. */
export function factsOf(known: KnownRuns, options: WatchJudgeOptions): Facts {
  const { timed, impossible, newerUnread } = known;
  const { now, plan, zone, isInferred = false } = options;
  const carried: Carried = options.carried ?? {};
  const { pauses = [], excused = [], calendar = [], decisions = [], leavers = [] } = options;
  const isConfirmed = Boolean(plan) && !isInferred;
  const occurrences = occurrencesOf(timed);
  const times = timesOf(occurrences.planned.map(([first]) => first));
  const { seen = { firstStart: null, kinds: [] } } = carried;
  const before = plan === undefined ? times.length : plan ? lowerBound(times, plan.since) : 0;
  const inferred = before === 0
    ? []
    : plansFollowed(times.subarray(0, before), zone).map((period) => ({ ...period, seen }));
  const fromOptions = plan ? followConfirmed(plan, times, now) : null;
  const followed = fromOptions === null
    ? inferred
    : isConfirmed
    ? followBefore(inferred, fromOptions)
    : [{ ...fromOptions, seen }];
  const current = plan ?? followed.at(-1)?.plan ?? null;
  const judged = judgeSlots(occurrences, followed, now, [
    ...pauses,
    ...excused,
    ...current ? spansOfDays(calendar, current.zone) : [],
    ...excusedBy(impossible, timed),
  ]);
  const open = openRuns(timed);
  // Another version of Docket may have written what was carried.
  const isReadable = carried.content?.version === CONTENT_VERSION;
  const content = updateContent(
    isReadable ? carried.content : emptyContent(),
    timed.filter((run) => run.meaning !== "bad" && !open.includes(run)),
    { now, zone: current?.zone ?? zone ?? "UTC" },
  );
  const skew = skewOf({ timed, impossible }, now, carried.skew);
  const streaks = streaksOf(timed, open, carried.streaks);
  const ended = open.length === 0
    ? streaks
    : streaksOf(timed.slice(0, timed.indexOf(open[0])), [], carried.streaks);
  return {
    ...known,
    now,
    isConfirmed,
    occurrences,
    judged,
    schedule: current &&
      judgedPlan(current, isConfirmed ? "confirmed" : "inferred", judged, {
        runCount: times.length,
        newerUnread,
      }),
    content,
    expected: expectedAt(decisions, now),
    streaks,
    skew,
    leavers,
    carried: { content, seen: judged.seen, skew, ...(ended && { streaks: ended }) },
  };
}

/** At most this many of the newest runs may still be going. */
export const MAX_OPEN = 5;
/** This many of the newest runs show whether runs usually have an end, and how long they take. */
export const ENDS_SEEN = 60;
/** If more of those lack an end, a missing end means nothing. */
const MAX_ENDLESS = 6;

/** Whether earlier runs often lack an end too, so that a missing end means nothing. */
export function isOftenEndless(
  timed: readonly TimedRun<ReportRun>[],
  lacksEnd: (run: TimedRun<ReportRun>) => boolean,
): boolean {
  const earlier = timed.slice(-ENDS_SEEN, -MAX_OPEN);
  return earlier.filter(lacksEnd).length > Math.min(MAX_ENDLESS, earlier.length / 2);
}

/** Runs that are still going, so that their content and recipients are not known yet. */
export function openRuns(
  timed: readonly TimedRun<ReportRun>[],
): readonly TimedRun<ReportRun>[] {
  const isEndless = ({ run, meaning }: TimedRun<ReportRun>) => isOpen(run, meaning);
  const open = timed.slice(-MAX_OPEN).filter(isEndless);
  return open.length > 0 && isOftenEndless(timed, isEndless) ? [] : open;
}

export const LATELY: number = 7 * DAY;
