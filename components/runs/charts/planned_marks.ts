/** The marks of planned runs: one shape, word and colour for each outcome, the same on every page. */
import type { PlannedOutcome, Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";

export const MARK_WIDTH = 10;
export const MARK_HEIGHT = 14;

interface PlannedMark {
  readonly words: string;
  readonly tone: "good" | "late" | "bad" | "neutral";
  /** Its shape as a path that begins at its upper left corner; all shapes are filled. */
  readonly shape: string;
}

const BOX = "h10v14h-10z";
/** The other way round, so that it is a hole in the box. */
const HOLE = "m2 2v10h6v-10z";

export const PLANNED_MARKS: Readonly<Record<PlannedOutcome, PlannedMark>> = {
  met: { words: "in time", tone: "good", shape: BOX },
  late: { words: "late", tone: "late", shape: "m0 6h10v8h-10zm0-6h10v3h-10z" },
  failed: { words: "failed", tone: "bad", shape: "h10v14l-5-5l-5 5z" },
  missed: { words: "missed", tone: "bad", shape: BOX + HOLE },
  overdue: { words: "overdue", tone: "bad", shape: `${BOX}${HOLE}m2 2h2v3h-2zm0 4h2v2h-2z` },
  "by-hand": { words: "started by hand instead", tone: "late", shape: "m5 1l5 13h-10z" },
  other: { words: "with another status", tone: "neutral", shape: "m5 1l5 6l-5 6l-5-6z" },
  excused: { words: "excused", tone: "neutral", shape: "m0 6h10v2h-10z" },
  due: { words: "due", tone: "neutral", shape: "h10v14h-10zm1 1v12h8v-12z" },
  extra: { words: "not planned", tone: "good", shape: "m0 10h4v4h-4z" },
  "extra-failed": {
    words: "not planned, failed",
    tone: "bad",
    shape: "m0 9l1-1l1.5 1.5l1.5-1.5l1 1l-1.5 1.5l1.5 1.5l-1 1l-1.5-1.5l-1.5 1.5l-1-1l1.5-1.5z",
  },
};

/** How much room a mark takes in a row: those of runs that nobody planned are small. */
export function markStep(outcome: PlannedOutcome): number {
  return outcome === "extra" || outcome === "extra-failed" ? 7 : MARK_WIDTH + 2;
}

const OUTCOMES = { good: "met", bad: "failed", neutral: "other" } as const;

export function outcomeOfRun(run: ReportRun, dictionary: StatusDictionary): PlannedOutcome {
  return OUTCOMES[meaningOf(run.status, dictionary)];
}

/** Every outcome that a schedule's page shows: in its strip, its calendar and its table. */
export function outcomesIn(
  { planned, schedule }: Pick<Verdict, "schedule" | "planned">,
  runs: readonly ReportRun[],
  dictionary: StatusDictionary,
): ReadonlySet<PlannedOutcome> {
  const { missed = [], overdue = [], late = [] } = schedule ?? {};
  return new Set([
    ...planned.map(({ outcome }) => outcome),
    ...runs.map((run) => outcomeOfRun(run, dictionary)),
    ...missed.slice(0, 1).map(() => "missed" as const),
    ...overdue.slice(0, 1).map(() => "overdue" as const),
    ...late.slice(0, 1).map(() => "late" as const),
  ]);
}
