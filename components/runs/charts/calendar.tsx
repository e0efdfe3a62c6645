import { useContext } from "preact/hooks";
// @ts-types="@types/d3-array"
import { group } from "d3-array";
import { formatCountOf } from "../../../lib/format.ts";
import { dayIn } from "../../../lib/days.ts";
import type { JudgedPlan } from "../../../lib/judgement/judge_schedule.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Chart, MOST_LINKS, seriesOf } from "../../ui/chart.tsx";
import { formatZone, Zone } from "../../ui/zone.ts";
import { incidentHref, type IncidentRow } from "../incidents/incident_table.tsx";
import { filteredRunsHref, runHref } from "../run_links.ts";
import { type CalendarDay, calendarDays, WEEKS } from "./calendar_days.ts";

const STEP = 17;
const SIZE = 13;
const EDGE = { left: 36, top: 20 };
/** The least height of a part of a day, so that it stays visible. */
const LEAST = 3;

/** The last 26 weeks, with a square for each day. Days that need a look are links. */
export function Calendar({ runs, schedule, scheduleId, dictionary, incidents = [] }: {
  /** The runs, newest first. */
  readonly runs: readonly ReportRun[];
  /** The plan, and which of its slots were missed. */
  readonly schedule: JudgedPlan | null;
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
  readonly incidents?: readonly Pick<IncidentRow, "id" | "summary" | "opened">[];
}) {
  const zone = useContext(Zone);
  const days = calendarDays({ runs, schedule, dictionary, zone });
  if (days.length === 0) return null;
  const missed = schedule?.source === "confirmed" ? "missed (confirmed plan)" : "missed (inferred)";
  const isGood = ({ kind, missed }: CalendarDay) => kind === "good" && missed === 0;
  const isEmpty = ({ kind, missed }: CalendarDay) => kind === "empty" && missed === 0;
  const good = days.filter(isGood);
  const empty = days.filter(isEmpty);
  const notable = days.filter((day) => !isGood(day) && !isEmpty(day));
  const earlier = notable.slice(0, -MOST_LINKS);
  const dayAt = dayIn(zone);
  const opened = group(incidents, (incident) => dayAt(incident.opened));
  const marked = days.filter(({ day }) => opened.has(day));
  return (
    <Chart
      id="calendar"
      title="Calendar"
      width={EDGE.left + WEEKS * STEP}
      height={EDGE.top + 7 * STEP}
      caption={[
        `The last ${WEEKS} weeks, days in ${formatZone(zone)}.`,
        "Solid: all successful; crossed: all failed; split: the lower part failed;",
        "diamond: another status; empty: no run",
        days.some((day) => day.missed > 0) && `; outlined with a dot: ${missed}`,
        marked.length > 0 && "; corner: an incident opened",
      ].filter(Boolean).join(" ").replaceAll(" ;", ";") + "."}
      side={{
        width: EDGE.left - 4,
        height: EDGE.top + 7 * STEP,
        labels: ["Mon", "Wed", "Fri", "Sun"].map((name, at) => (
          <text key={name} class="left" x={EDGE.left - 6} y={EDGE.top + 2 * at * STEP + 11}>
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
        kind: "good days",
        label: `${formatCountOf(good.length, "day", "days")} with successful runs only`,
        paths: good.map((day) => `M${placeOf(day).x + SIZE / 2} ${placeOf(day).y}v${SIZE}`),
      })}
      {seriesOf({
        kind: "empty-day",
        label: `${formatCountOf(empty.length, "day", "days")} without a run`,
        paths: empty.map(outlineOf),
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
            <path d={`M${x + SIZE - 5} ${y - 2}h7v7z`} />
          </a>
        );
      })}
    </Chart>
  );
}

/** A day that needs a look, as a link to its runs if there are any. */
function linkOf(day: CalendarDay, scheduleId: number, missed: string) {
  const { runs } = day;
  const words = [
    day.day,
    runs.length > 0 && `${formatCountOf(runs.length, "run", "runs")}: ${statusCounts(runs)}`,
    day.missed > 0 && `${day.missed} ${missed}`,
  ].filter(Boolean).join(", ");
  const content = [<title key="title">{words}</title>, drawingOf(day)];
  if (runs.length === 0) return <g key={day.day}>{content}</g>;
  const href = runs.length === 1
    ? runHref(scheduleId, runs[0].id)
    : filteredRunsHref(scheduleId, `started:${day.day}`);
  return <a key={day.day} href={href}>{content}</a>;
}

/** How a day is drawn. Shapes differ as well as colours. */
function drawingOf(day: CalendarDay) {
  const { kind, failed, missed } = day;
  const mark = missed > 0 ? " missed" : "";
  const { x, y } = placeOf(day);
  if (kind === "empty") return <path key={day.day} class="missed" d={outlineOf(day) + dot(x, y)} />;
  if (kind !== "mixed") {
    return <path key={day.day} class={kind + mark} d={SHAPES[kind](x, y)} />;
  }
  const height = Math.max(LEAST, Math.min(SIZE - 1 - LEAST, Math.round(failed * SIZE)));
  return [
    <path key={`${day.day} good`} class={`good${mark}`} d={box(x, y, SIZE - 1 - height)} />,
    <path key={day.day} class={`bad${mark}`} d={box(x, y + SIZE - height, height)} />,
  ];
}

function placeOf({ week, weekday }: CalendarDay): { readonly x: number; readonly y: number } {
  return { x: EDGE.left + week * STEP, y: EDGE.top + weekday * STEP };
}

function outlineOf(day: CalendarDay): string {
  const { x, y } = placeOf(day);
  return `M${x + 0.5} ${y + 0.5}h${SIZE - 1}v${SIZE - 1}h${1 - SIZE}z`;
}

function dot(x: number, y: number): string {
  return `M${x + SIZE / 2 - 3} ${y + SIZE / 2}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z`;
}

function box(x: number, y: number, height: number): string {
  return `M${x} ${y}h${SIZE}v${height}h${-SIZE}z`;
}

const SHAPES: Readonly<Record<"good" | "bad" | "neutral", (x: number, y: number) => string>> = {
  good: (x, y) => box(x, y, SIZE),
  // Four triangles with a cross between them.
  bad: (x, y) =>
    `M${x + 2} ${y}h${SIZE - 4}l${2 - SIZE / 2} ${SIZE / 2 - 2}z` +
    `M${x + 2} ${y + SIZE}h${SIZE - 4}l${2 - SIZE / 2} ${2 - SIZE / 2}z` +
    `M${x} ${y + 2}v${SIZE - 4}l${SIZE / 2 - 2} ${2 - SIZE / 2}z` +
    `M${x + SIZE} ${y + 2}v${SIZE - 4}l${2 - SIZE / 2} ${2 - SIZE / 2}z`,
  neutral: (x, y) =>
    `M${x + SIZE / 2} ${y}l${SIZE / 2} ${SIZE / 2}l${-SIZE / 2} ${SIZE / 2}l${-SIZE / 2} ${
      -SIZE / 2
    }z`,
};

/** The number of runs of each status, such as `53 success, 7 failure`. */
function statusCounts(runs: readonly Pick<ReportRun, "status">[]): string {
  const counts = new Map<string, number>();
  for (const { status } of runs) {
    const name = status || "no status";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} ${name}`)
    .join(", ");
}
