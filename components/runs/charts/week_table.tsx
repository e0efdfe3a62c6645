import { useContext } from "preact/hooks";
// @ts-types="@types/d3-array"
import { groups, max, median } from "d3-array";
import type { JudgedPlan } from "../../../lib/runs/judge/judge_schedule.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { durationOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { formatCount, formatDuration } from "../../ui/format.ts";
import { MISSING } from "../../ui/moment.tsx";
import { formatZone, Zone } from "../../ui/zone.ts";
import { filteredRunsHref } from "../run_links.ts";
import { type CalendarDay, calendarDays } from "./calendar_days.ts";

/** A week in numbers. */
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

const COLUMNS: readonly { readonly name: string; readonly cell: (week: Week) => string }[] = [
  { name: "Runs", cell: ({ runs }) => formatCount(runs) },
  { name: "Failed", cell: ({ failed }) => formatCount(failed) },
  { name: "Other status", cell: ({ other }) => formatCount(other) },
  { name: "Missed", cell: ({ missed }) => formatCount(missed) },
  { name: "Median duration", cell: ({ median }) => duration(median) },
  { name: "Longest", cell: ({ longest }) => duration(longest) },
  { name: "Recipients", cell: ({ recipients }) => recipients ? formatCount(recipients) : "" },
];

/** What the charts show as a table, a row a week; columns that never say anything are left out. */
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
  const columns = COLUMNS.filter(({ name, cell }) =>
    name === "Runs" || weeks.some((week) => !/^0?$/.test(cell(week)))
  );
  return (
    <details class="week-table">
      <summary>The charts as a table, by week</summary>
      <div class="scroll" role="region" aria-label="Weeks" tabIndex={0}>
        <table>
          <caption class="unseen">Runs by week, days in {formatZone(zone)}</caption>
          <thead>
            <tr>
              <th scope="col">Week of</th>
              {columns.map(({ name }) => <th key={name} scope="col" class="number">{name}</th>)}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week.from}>
                <th scope="row">
                  <a
                    href={filteredRunsHref(scheduleId, { from: week.from, through: week.through })}
                  >
                    {week.from}
                  </a>
                </th>
                {columns.map(({ name, cell }) => <td key={name}>{cell(week) || MISSING}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
