/** The days of the calendar: what ran on each, and what did not. */
// @ts-types="@types/d3-array"
import { group } from "d3-array";
// @ts-types="@types/d3-time"
import { utcDay, utcMonday } from "d3-time";
import { dayIn } from "../../../lib/days.ts";
import type { JudgedPlan } from "../../../lib/judgement/judge_schedule.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";

export const WEEKS = 26;

/** What a day shows: all its runs succeeded or failed, some of them failed, another status, or no run. */
export type DayKind = "good" | "bad" | "mixed" | "neutral" | "empty";

/** A day in the reader's zone. */
export interface CalendarDay {
  /** Such as `2026-01-31`. */
  readonly day: string;
  /** The week and the day of the week, from 0; weeks begin on Monday. */
  readonly week: number;
  readonly weekday: number;
  readonly runs: readonly ReportRun[];
  readonly kind: DayKind;
  /** The share of the runs that failed. */
  readonly failed: number;
  /** How many runs were missed or are overdue. */
  readonly missed: number;
}

/** The last 26 weeks up to the newest day with a run or a missed one; none if no run has a start. */
export function calendarDays({ runs, schedule, dictionary, zone }: {
  readonly runs: readonly ReportRun[];
  /** The plan, and which of its slots were missed. */
  readonly schedule: JudgedPlan | null;
  readonly dictionary: StatusDictionary;
  readonly zone: string;
}): CalendarDay[] {
  const dayAt = dayIn(zone);
  const started = runs.filter(({ startTime }) => timeOf(startTime) !== undefined);
  if (started.length === 0) return [];
  const byDay = group(started, (run) => dayAt(timeOf(run.startTime)!));
  const missed = group(
    [...schedule?.missed ?? [], ...schedule?.overdue ?? []],
    ({ at }) => dayAt(at),
  );
  // Dates in the zone, treated as UTC dates for arithmetic.
  const newest = new Date(`${[...byDay.keys(), ...missed.keys()].sort().at(-1)}T00:00:00Z`);
  const first = utcMonday.offset(utcMonday.floor(newest), 1 - WEEKS);
  return utcDay.range(first, utcDay.offset(newest, 1)).map((date, at) => {
    const day = date.toISOString().slice(0, 10);
    const present = byDay.get(day) ?? [];
    return {
      day,
      week: Math.floor(at / 7),
      weekday: at % 7,
      runs: present,
      ...kindOf(present, dictionary),
      missed: missed.get(day)?.length ?? 0,
    };
  });
}

function kindOf(
  runs: readonly ReportRun[],
  dictionary: StatusDictionary,
): Pick<CalendarDay, "kind" | "failed"> {
  if (runs.length === 0) return { kind: "empty", failed: 0 };
  const meanings = runs.map(({ status }) => meaningOf(status, dictionary));
  const failed = meanings.filter((meaning) => meaning === "bad").length / runs.length;
  if (failed > 0) return { kind: failed === 1 ? "bad" : "mixed", failed };
  return { kind: meanings.includes("neutral") ? "neutral" : "good", failed };
}
