/** The facts that reasons are found in. */
import type { ReportRun } from "../types.ts";
import type { Occurrences, TimedRun } from "../runs/occurrences.ts";
import { meaningOf, type StatusDictionary } from "../runs/status.ts";
import { MOST_RUNS, type Reason } from "./reason.ts";
import type { ContentMemory } from "./content/content.ts";
import type { Expected } from "./decisions.ts";
import type { Rows } from "./rows.ts";
import type { Skew } from "./skew.ts";
import type { JudgedSlots } from "./slots.ts";
import type { JudgeOptions, Verdict } from "./verdict.ts";

/** Everything that is known of a schedule. */
export interface Facts
  extends Pick<JudgeOptions, "now" | "statuses">, Omit<Verdict, "state" | "reasons" | "planned"> {
  readonly newerUnread: boolean;
  readonly isConfirmed: boolean;
  /** Those with an id that another run already has are not among `runs`. */
  readonly repeated: readonly ReportRun[];
  /** Runs with a possible start, oldest first. */
  readonly timed: readonly TimedRun<ReportRun>[];
  /** Those of them that are still going. */
  readonly open: readonly ReportRun[];
  readonly impossible: readonly ReportRun[];
  readonly occurrences: Occurrences<ReportRun>;
  readonly judged: JudgedSlots<ReportRun>;
  /** What is known of the content of the runs. */
  readonly content: ContentMemory;
  readonly expected: Expected;
  /** Runs in a row that failed or have an unknown status; undefined if there is no run. */
  readonly rows: Rows | undefined;
  readonly skew: Skew;
  readonly leavers: NonNullable<JudgeOptions["leavers"]>;
}

/** At most this many of the newest runs may still be going. */
export const MOST_OPEN = 5;
/** This many of the newest runs show whether runs usually have an end, and how long they take. */
export const ENDS_SEEN = 60;
/** At most this many of them may lack one. */
const MOST_ENDLESS = 6;

/** Whether nothing shows that a run has ended. */
export function isEndless({ endTime, status }: ReportRun, statuses: StatusDictionary): boolean {
  return !endTime && meaningOf(status, statuses) === "neutral";
}

/** Whether earlier runs often lack an end too, so that a missing end means nothing. */
export function isOftenEndless(
  timed: readonly TimedRun<ReportRun>[],
  lacksEnd: (run: ReportRun) => boolean,
): boolean {
  const earlier = timed.slice(-ENDS_SEEN, -MOST_OPEN);
  const endless = earlier.filter(({ run }) => lacksEnd(run)).length;
  return endless > Math.min(MOST_ENDLESS, earlier.length / 2);
}

/** Runs that are still going: what they send, and to whom, is not known yet. */
export function openRuns(
  timed: readonly TimedRun<ReportRun>[],
  statuses: StatusDictionary,
): readonly ReportRun[] {
  const lacksEnd = (run: ReportRun) => isEndless(run, statuses);
  const open = timed.slice(-MOST_OPEN).map(({ run }) => run).filter(lacksEnd);
  return open.length > 0 && isOftenEndless(timed, lacksEnd) ? [] : open;
}

const DAY = 86_400_000;

/** Something within this time is recent. */
export const LATELY: number = 7 * DAY;

/** Makes a reason from runs, which are sorted, oldest first. */
export function reasonOf(
  code: Reason["code"],
  severity: Reason["severity"],
  since: number | null,
  runs: readonly { readonly id: number }[],
  evidence: Reason["evidence"],
): Reason {
  return {
    code,
    severity,
    since,
    runs: runs.slice(-MOST_RUNS).map(({ id }) => id).reverse(),
    evidence,
  };
}
