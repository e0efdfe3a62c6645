import { useContext } from "preact/hooks";
// @ts-types="@types/d3-array"
import { groups, max, median } from "d3-array";
import { formatCount, formatDuration } from "../../../lib/format.ts";
import type { JudgedPlan } from "../../../lib/judgement/judge_schedule.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { durationOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { formatZone, Zone } from "../../ui/zone.ts";
import { filteredRunsHref } from "../run_links.ts";
import { type CalendarDay, calendarDays } from "./calendar_days.ts";

interface Week {
  readonly from: string;
  readonly through: string;
  readonly runs: number;
  readonly failed: number;
  readonly other: number;
  readonly missed: number;
  readonly median: number | undefined;
  readonly longest: number | undefined;
  readonly recipients: number | undefined;
}

const COLUMNS: readonly (Column<Week> & { readonly cell: (week: Week) => string })[] = [
  { name: "Runs", kind: "number", cell: ({ runs }) => formatCount(runs) },
  { name: "Failed", kind: "number", cell: ({ failed }) => formatCount(failed) },
  { name: "Other status", kind: "number", cell: ({ other }) => formatCount(other) },
  { name: "Missed", kind: "number", cell: ({ missed }) => formatCount(missed) },
  { name: "Median duration", kind: "number", cell: ({ median }) => duration(median) },
  { name: "Longest", kind: "number", cell: ({ longest }) => duration(longest) },
  {
    name: "Recipients",
    kind: "number",
    cell: ({ recipients }) => recipients ? formatCount(recipients) : "",
  },
];

/** The charts as a table, one row per week; empty columns are left out. */
export function WeekTable({ runs, schedule, scheduleId, dictionary }: {
  /** The runs, newest first. */
  readonly runs: readonly ReportRun[];
  readonly schedule: JudgedPlan | null;
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
}) {
  const zone = useContext(Zone);
  const days = calendarDays({ runs, schedule, dictionary, zone });
  const weeks = groups(days, ({ week }) => week).map(([, week]) => weekOf(week, dictionary))
    .filter((week) => week.runs + week.missed > 0).reverse();
  if (weeks.length === 0) return null;
  const first: Column<Week> = {
    name: "Week of",
    cell: ({ from, through }) => (
      <a href={filteredRunsHref(scheduleId, `started:${from}..${through}`)}>{from}</a>
    ),
  };
  const others = COLUMNS.filter(({ name, cell }) =>
    name === "Runs" || weeks.some((week) => !/^0?$/.test(cell(week)))
  );
  return (
    <details class="week-table">
      <summary>The charts as a table, by week</summary>
      <DataTable
        name="Weeks"
        caption={`Runs by week, days in ${formatZone(zone)}`}
        columns={[first, ...others]}
        rows={weeks}
        keyOf={({ from }) => from}
      />
    </details>
  );
}

function weekOf(days: readonly CalendarDay[], dictionary: StatusDictionary): Week {
  const runs = days.flatMap((day) => day.runs);
  const meanings = runs.map(({ status }) => meaningOf(status, dictionary));
  const durations = runs.map(durationOf).filter((ms) => ms !== undefined && ms >= 0) as number[];
  const newest = days.findLast((day) => day.runs.length > 0)?.runs[0];
  return {
    from: days[0].day,
    through: days.at(-1)!.day,
    runs: runs.length,
    failed: meanings.filter((meaning) => meaning === "bad").length,
    other: meanings.filter((meaning) => meaning === "neutral").length,
    missed: days.reduce((sum, day) => sum + day.missed, 0),
    median: median(durations),
    longest: max(durations),
    recipients: newest?.recipientCount ?? newest?.recipients?.length,
  };
}

function duration(ms: number | undefined): string {
  return ms === undefined ? "" : formatDuration(ms);
}
