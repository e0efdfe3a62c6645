import { useContext } from "preact/hooks";
// @ts-types="@types/d3-array"
import { group } from "d3-array";
import { formatCountOf } from "../../../lib/format.ts";
import { dayIn } from "../../../lib/days.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Chart, MOST_LINKS, seriesOf } from "../../ui/chart.tsx";
import { formatZone, Zone } from "../../ui/zone.ts";
import { incidentHref, type IncidentRow } from "../incidents/incident_table.tsx";
import { filteredRunsHref, runHref } from "../run_links.ts";
import { type CalendarDay, calendarDays, WEEKS } from "./calendar_days.ts";
import { MARK_WIDTH, PLANNED_MARKS } from "./planned_marks.ts";

const STEP = { x: 14, y: 18 };
const EDGE = { left: 36, top: 20 };

/** The last 26 weeks, with the worst mark of each day. Days that need a look are links. */
export function Calendar({ runs, verdict, scheduleId, dictionary, incidents = [] }: {
  /** The runs, newest first. */
  readonly runs: readonly ReportRun[];
  /** What was missed and when runs started late; null if the runs are only some of all. */
  readonly verdict: Pick<Verdict, "schedule" | "planned"> | null;
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
  readonly incidents?: readonly Pick<IncidentRow, "id" | "summary" | "opened">[];
}) {
  const zone = useContext(Zone);
  const days = calendarDays({ runs, verdict, dictionary, zone });
  if (days.length === 0) return null;
  const isConfirmed = verdict?.schedule?.source === "confirmed";
  const missed = isConfirmed ? "missed (confirmed plan)" : "missed (inferred)";
  const isWell = ({ outcome }: CalendarDay) => outcome === "met" || outcome === "extra";
  const good = days.filter(isWell);
  const notable = days.filter((day) => day.outcome !== null && !isWell(day));
  const earlier = notable.slice(0, -MOST_LINKS);
  const dayAt = dayIn(zone);
  const opened = group(incidents, (incident) => dayAt(incident.opened));
  const marked = days.filter(({ day }) => opened.has(day));
  const height = EDGE.top + 7 * STEP.y;
  return (
    <Chart
      id="calendar"
      title="Calendar"
      width={EDGE.left + WEEKS * STEP.x + 4}
      height={height}
      caption={`The last ${WEEKS} weeks, days in ${formatZone(zone)}: the worst of each day${
        marked.length > 0 ? "; corner: an incident opened" : ""
      }.`}
      side={{
        width: EDGE.left - 4,
        height,
        labels: ["Mon", "Wed", "Fri", "Sun"].map((name, at) => (
          <text key={name} class="left" x={EDGE.left - 6} y={EDGE.top + 2 * at * STEP.y + 11}>
            {name}
          </text>
        )),
      }}
    >
      <g class="axis" aria-hidden="true">
        {days.filter(({ day }) => day.endsWith("-01")).map((day) => (
          <text key={day.day} class="start" x={placeOf(day).x} y={12}>{day.day.slice(0, 7)}</text>
        ))}
      </g>
      {seriesOf({
        kind: "good",
        label: `${formatCountOf(good.length, "day", "days")} with successful runs only`,
        paths: good.map(pathOf),
      })}
      {earlier.length > 0 && (
        <g>
          <title>
            {`${formatCountOf(earlier.length, "earlier day", "earlier days")} with problems`}
          </title>
          {earlier.map(drawingOf)}
        </g>
      )}
      {notable.slice(-MOST_LINKS).map((day) => linkOf(day, scheduleId, missed))}
      {marked.map((day) => {
        const [incident, ...others] = opened.get(day.day)!;
        const { x, y } = placeOf(day);
        const count = others.length === 0
          ? "incident"
          : `${formatCountOf(others.length + 1, "incident", "incidents")}, the latest`;
        return (
          <a key={incident.id} class="incident" href={incidentHref(incident.id)}>
            <title>{`${day.day}, ${count}: ${incident.summary}`}</title>
            <path d={`M${x + MARK_WIDTH - 4} ${y - 2}h6v6z`} />
          </a>
        );
      })}
    </Chart>
  );
}

function linkOf(day: CalendarDay, scheduleId: number, missed: string) {
  const { runs, outcome } = day;
  const words = [
    day.day,
    runs.length > 0 && `${formatCountOf(runs.length, "run", "runs")}: ${statusCounts(runs)}`,
    day.missed > 0 ? `${day.missed} ${missed}` : PLANNED_MARKS[outcome!].words,
  ].filter(Boolean).join(", ");
  const content = [<title key="title">{words}</title>, drawingOf(day)];
  if (runs.length === 0) return <g key={day.day}>{content}</g>;
  const href = runs.length === 1
    ? runHref(scheduleId, runs[0].id)
    : filteredRunsHref(scheduleId, `started:${day.day}`);
  return <a key={day.day} href={href}>{content}</a>;
}

function drawingOf(day: CalendarDay) {
  return <path key={day.day} class={PLANNED_MARKS[day.outcome!].tone} d={pathOf(day)} />;
}

function pathOf(day: CalendarDay): string {
  const { x, y } = placeOf(day);
  return `M${x} ${y}${PLANNED_MARKS[day.outcome!].shape}`;
}

function placeOf({ week, weekday }: CalendarDay): { readonly x: number; readonly y: number } {
  return { x: EDGE.left + week * STEP.x, y: EDGE.top + weekday * STEP.y };
}

function statusCounts(runs: readonly Pick<ReportRun, "status">[]): string {
  const counts = new Map<string, number>();
  for (const { status } of runs) {
    const name = status || "no status";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} ${name}`)
    .join(", ");
}
