import { useContext } from "preact/hooks";
import { formatCountOf } from "../../../lib/format.ts";
import { addDays, dayIn } from "../../../lib/days.ts";
import type { PlannedOutcome, Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Chart, MAX_LINKS, seriesOf } from "../../ui/chart.tsx";
import { formatZone, Zone } from "../../ui/zone.ts";
import { filteredRunsHref, incidentHref, runHref } from "../run_links.tsx";
import type { ShownIncident } from "../incidents/incident_rows.tsx";
import { MARK_WIDTH, outcomeOfRun, PLANNED_MARKS } from "./strip.tsx";

const WEEKS = 26;
const STEP = { x: 12, y: 22 };
const EDGE = { left: 36, top: 20 };

interface CalendarProps {
  readonly runs: readonly ReportRun[];
  /** Null while a search hides runs, which would then look missed. */
  readonly verdict: Pick<Verdict, "schedule" | "planned"> | null;
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
  readonly incidents?: readonly Pick<ShownIncident, "id" | "summary" | "opened">[];
}

/** The last 26 weeks, with the worst mark of each day. Days with problems are links. */
export function Calendar(props: CalendarProps) {
  const { verdict, scheduleId, incidents = [] } = props;
  const zone = useContext(Zone);
  const days = daysOfWeeks(props, zone);
  if (days.length === 0) return null;
  const isConfirmed = verdict?.schedule?.source === "confirmed";
  const missed = isConfirmed ? "missed (confirmed plan)" : "missed (inferred)";
  const isGood = ({ outcome }: CalendarDay) => outcome === "met" || outcome === "extra";
  const good = days.filter(isGood);
  const notable = days.filter((day) => day.outcome !== null && !isGood(day));
  const earlier = notable.slice(0, -MAX_LINKS);
  const dayAt = dayIn(zone);
  const opened = Map.groupBy(incidents, (incident) => dayAt(incident.opened));
  const marked = days.filter(({ day }) => opened.has(day));
  const height = EDGE.top + 7 * STEP.y;
  return (
    <Chart
      id="calendar"
      title="Calendar"
      width={EDGE.left + WEEKS * STEP.x + 4}
      height={height}
      caption={`The worst of each day in the last ${WEEKS} weeks, days in ${formatZone(zone)}${
        marked.length > 0 ? "; corner: an incident opened" : ""
      }.`}
      side={{
        width: EDGE.left - 4,
        labels: ["Mon", "Wed", "Fri", "Sun"].map((name, at) => (
          <text key={name} class="left" x={EDGE.left - 6} y={EDGE.top + 2 * at * STEP.y + 17}>
            {name}
          </text>
        )),
      }}
    >
      <g class="axis" aria-hidden="true">
        {days.filter(({ day }) => day.endsWith("-01")).map((day) => (
          <text key={day.day} class="start" x={day.x} y={12}>{monthName(day.day)}</text>
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
      {notable.slice(-MAX_LINKS).map((day) => linkOf(day, scheduleId, missed))}
      {marked.map((day) => {
        const [incident, ...others] = opened.get(day.day)!;
        const { x, y } = day;
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

/** The month of a day, such as `Nov`. */
function monthName(day: string): string {
  return new Date(day).toLocaleDateString("en-GB", { month: "short", timeZone: "UTC" });
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

function pathOf({ x, y, outcome }: CalendarDay): string {
  return `M${x} ${y}${PLANNED_MARKS[outcome!].shape}`;
}

function statusCounts(runs: readonly Pick<ReportRun, "status">[]): string {
  const counts = [...Map.groupBy(runs, ({ status }) => status || "no status")];
  return counts.sort(([, a], [, b]) => b.length - a.length)
    .map(([name, some]) => `${some.length} ${name}`).join(", ");
}

interface CalendarDay {
  readonly day: string;
  /** The upper left corner. Each column is a week, with Monday on top. */
  readonly x: number;
  readonly y: number;
  readonly runs: readonly ReportRun[];
  /** The worst that happened; null if nothing ran and nothing was planned. */
  readonly outcome: PlannedOutcome | null;
  readonly missed: number;
}

const WORST: readonly PlannedOutcome[] = [
  ...["overdue", "missed", "failed", "extra-failed", "by-hand", "late", "other", "met"] as const,
  ...["extra-other", "extra", "due", "excused"] as const,
];

/** The last 26 weeks, up to the newest day with a run or a missed one; none without a start. */
function daysOfWeeks({ runs, verdict, dictionary }: CalendarProps, zone: string): CalendarDay[] {
  const dayAt = dayIn(zone);
  const started = runs.filter(({ startTime }) => timeOf(startTime) !== undefined);
  if (started.length === 0) return [];
  const byDay = Map.groupBy(started, (run) => dayAt(timeOf(run.startTime)!));
  const { missed = [], overdue = [], late = [] } = verdict?.schedule ?? {};
  const unmet = Map.groupBy([...missed, ...overdue], ({ at }) => dayAt(at));
  const outcomes = Map.groupBy(
    [
      ...missed.map(({ at }) => ({ at, outcome: "missed" as const })),
      ...overdue.map(({ at }) => ({ at, outcome: "overdue" as const })),
      ...late.map(({ at }) => ({ at, outcome: "late" as const })),
      ...verdict?.planned ?? [],
    ],
    ({ at }) => dayAt(at),
  );
  const newest = [...byDay.keys(), ...unmet.keys()].sort().at(-1)!;
  const weekday = (new Date(newest).getUTCDay() + 6) % 7;
  const first = addDays(newest, -weekday - 7 * (WEEKS - 1));
  return Array.from({ length: 7 * (WEEKS - 1) + weekday + 1 }, (_, at) => {
    const day = addDays(first, at);
    const present = byDay.get(day) ?? [];
    const seen = new Set([
      ...present.map((run) => outcomeOfRun(run, dictionary)),
      ...(outcomes.get(day) ?? []).map(({ outcome }) => outcome),
    ]);
    return {
      day,
      x: EDGE.left + Math.floor(at / 7) * STEP.x,
      y: EDGE.top + at % 7 * STEP.y,
      runs: present,
      outcome: WORST.find((outcome) => seen.has(outcome)) ?? null,
      missed: unmet.get(day)?.length ?? 0,
    };
  });
}
