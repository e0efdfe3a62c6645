import { useContext } from "preact/hooks";
// @ts-types="@types/d3-array"
import { group } from "d3-array";
// @ts-types="@types/d3-time"
import { utcDay, utcMonday } from "d3-time";
import { dayIn } from "../../../lib/runs/days.ts";
import type { JudgedPlan } from "../../../lib/runs/judge/judge_schedule.ts";
import { meaningOf, type StatusDictionary, type StatusMeaning } from "../../../lib/runs/status.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { formatCountOf } from "../../ui/format.ts";
import { Zone } from "../../ui/zone.ts";
import { Chart, pointOf } from "../../ui/chart.tsx";
import { statusCounts } from "./strip.tsx";
import { filteredRunsHref, runHref } from "../run_links.ts";

const WEEKS = 26;
const STEP = 17;
const SIZE = 13;
const EDGE = { left: 36, top: 20 };

/** The last 26 weeks, with a square for each day in the colour of its worst run. */
export function Calendar({ runs, schedule, scheduleId, dictionary }: {
  /** The runs, newest first. */
  readonly runs: readonly ReportRun[];
  /** The plan, and which of its slots were missed. */
  readonly schedule: JudgedPlan | null;
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
}) {
  const zone = useContext(Zone);
  const missed = schedule?.source === "confirmed" ? "a missed run" : "a missed run (inferred)";
  const dayAt = dayIn(zone);
  const started = runs.filter(({ startTime }) => timeOf(startTime) !== undefined);
  if (started.length === 0) return null;
  const byDay = group(started, (run) => dayAt(timeOf(run.startTime)!));
  const missing = new Set(
    [...schedule?.missed ?? [], ...schedule?.overdue ?? []].map(({ at }) => dayAt(at)),
  );
  // Dates in the zone, treated as UTC dates for arithmetic.
  const newest = new Date(`${[...byDay.keys(), ...missing].sort().at(-1)}T00:00:00Z`);
  const first = utcMonday.offset(utcMonday.floor(newest), 1 - WEEKS);
  const days = utcDay.range(first, utcDay.offset(newest, 1));
  return (
    <Chart
      id="calendar"
      title="Calendar"
      width={EDGE.left + WEEKS * STEP}
      height={EDGE.top + 7 * STEP}
      caption={`The last ${WEEKS} weeks. Solid: all successful; crossed: a failure; ` +
        "diamond: neutral; empty: no run" +
        (missing.size > 0 ? `; outlined with a dot: ${missed}.` : ".")}
    >
      <g class="axis" aria-hidden="true">
        {["Mon", "Wed", "Fri", "Sun"].map((name, at) => (
          <text key={name} class="left" x={EDGE.left - 6} y={EDGE.top + 2 * at * STEP + 11}>
            {name}
          </text>
        ))}
        {days.filter((day) => day.getUTCDate() === 1).map((day) => (
          <text key={day.getTime()} class="start" x={placeOf(day, first).x} y={12}>
            {day.toISOString().slice(0, 7)}
          </text>
        ))}
      </g>
      {days.map((date) => {
        const day = date.toISOString().slice(0, 10);
        const { x, y } = placeOf(date, first);
        const present = byDay.get(day);
        const isMissing = missing.has(day);
        if (!present) {
          const label = `${day}, ${isMissing ? missed : "no run"}`;
          return <EmptyDay key={day} x={x} y={y} label={label} isMissing={isMissing} />;
        }
        const meaning = worstOf(present, dictionary);
        const count = formatCountOf(present.length, "run", "runs");
        return pointOf({
          href: present.length === 1
            ? runHref(scheduleId, present[0].id)
            : filteredRunsHref(scheduleId, { from: day, through: day }),
          label: `${day}, ${count}: ${statusCounts(present)}${isMissing ? `, ${missed}` : ""}`,
          meaning,
          mark: isMissing && "missed",
          path: SQUARES[meaning](x, y),
        });
      })}
    </Chart>
  );
}

function EmptyDay({ x, y, label, isMissing }: {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly isMissing: boolean;
}) {
  return (
    <g class={isMissing ? "empty-day missed" : "empty-day"}>
      <title>{label}</title>
      <rect x={x + 0.5} y={y + 0.5} width={SIZE - 1} height={SIZE - 1} rx={2} />
      {isMissing && <circle cx={x + SIZE / 2} cy={y + SIZE / 2} r={3} />}
    </g>
  );
}

function placeOf(day: Date, first: Date): { readonly x: number; readonly y: number } {
  const count = utcDay.count(first, day);
  return { x: EDGE.left + Math.floor(count / 7) * STEP, y: EDGE.top + count % 7 * STEP };
}

function worstOf(runs: readonly ReportRun[], dictionary: StatusDictionary): StatusMeaning {
  const meanings = new Set(runs.map(({ status }) => meaningOf(status, dictionary)));
  if (meanings.has("bad")) return "bad";
  return meanings.has("neutral") ? "neutral" : "good";
}

const SQUARES: Readonly<Record<StatusMeaning, (x: number, y: number) => string>> = {
  good: (x, y) => `M${x} ${y}h${SIZE}v${SIZE}h${-SIZE}z`,
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
