/** The days of the calendar: what ran on each, and what did not. */
// @ts-types="@types/d3-array"
import { group } from "d3-array";
// @ts-types="@types/d3-time"
import { utcDay, utcMonday } from "d3-time";
import { dayIn } from "../../../lib/days.ts";
import type { PlannedOutcome, Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";

export const WEEKS = 26;

export interface CalendarDay {
  /** Such as `2026-01-31`. */
  readonly day: string;
  /** The week and the day of the week, from 0; weeks begin on Monday. */
  readonly week: number;
  readonly weekday: number;
  readonly runs: readonly ReportRun[];
  /** The worst that happened; null if nothing ran and nothing should have. */
  readonly outcome: PlannedOutcome | null;
  readonly missed: number;
}

const WORST: readonly PlannedOutcome[] = [
  ...["overdue", "missed", "failed", "extra-failed", "by-hand", "late", "other", "met"] as const,
  ...["extra", "due", "excused"] as const,
];

const OUTCOMES = { good: "met", bad: "failed", neutral: "other" } as const;

/** The outcome of a run by its status alone. */
export function outcomeOfRun(run: ReportRun, dictionary: StatusDictionary): PlannedOutcome {
  return OUTCOMES[meaningOf(run.status, dictionary)];
}

/** The last 26 weeks up to the newest day with a run or a missed one; none if no run has a start. */
export function calendarDays({ runs, verdict, dictionary, zone }: {
  readonly runs: readonly ReportRun[];
  /** What was missed and when runs started late; null if the runs are only some of all. */
  readonly verdict: Pick<Verdict, "schedule" | "planned"> | null;
  readonly dictionary: StatusDictionary;
  readonly zone: string;
}): CalendarDay[] {
  const dayAt = dayIn(zone);
  const started = runs.filter(({ startTime }) => timeOf(startTime) !== undefined);
  if (started.length === 0) return [];
  const byDay = group(started, (run) => dayAt(timeOf(run.startTime)!));
  const { missed = [], overdue = [], late = [] } = verdict?.schedule ?? {};
  const unmet = group([...missed, ...overdue], ({ at }) => dayAt(at));
  const outcomes = group(
    [
      ...missed.map(({ at }) => ({ at, outcome: "missed" as const })),
      ...overdue.map(({ at }) => ({ at, outcome: "overdue" as const })),
      ...late.map(({ at }) => ({ at, outcome: "late" as const })),
      ...verdict?.planned ?? [],
    ],
    ({ at }) => dayAt(at),
  );
  // Dates in the zone, treated as UTC dates for arithmetic.
  const newest = new Date(`${[...byDay.keys(), ...unmet.keys()].sort().at(-1)}T00:00:00Z`);
  const first = utcMonday.offset(utcMonday.floor(newest), 1 - WEEKS);
  return utcDay.range(first, utcDay.offset(newest, 1)).map((date, at) => {
    const day = date.toISOString().slice(0, 10);
    const present = byDay.get(day) ?? [];
    const seen = new Set([
      ...present.map((run) => outcomeOfRun(run, dictionary)),
      ...(outcomes.get(day) ?? []).map(({ outcome }) => outcome),
    ]);
    return {
      day,
      week: Math.floor(at / 7),
      weekday: at % 7,
      runs: present,
      outcome: WORST.find((outcome) => seen.has(outcome)) ?? null,
      missed: unmet.get(day)?.length ?? 0,
    };
  });
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
