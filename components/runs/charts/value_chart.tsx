import { useContext } from "preact/hooks";
import { formatCountOf } from "../../../lib/format.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { quantile } from "../../../lib/runs/quantiles.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import {
  Chart,
  MAX_LINKS,
  pointOf,
  round,
  seriesOf,
  SHAPES,
  type StatusTone,
  statusTone,
} from "../../ui/chart.tsx";
import { TimeAxis, timeScale } from "../../ui/time_axis.tsx";
import { formatZone, Zone } from "../../ui/zone.ts";
import { runLabel } from "../format.ts";
import { runHref } from "../run_links.tsx";
import type { Tone } from "../verdict/state_badge.tsx";
import type { Measure } from "./measures.ts";

const DRAWN = 200;
const WIDTH = 1000;
const HEIGHT = 176;
const EDGE = { left: 72, right: 136, top: 20, bottom: 22 };
const LETTER = 6.4;

export interface ChartedChange {
  readonly at: number;
  readonly words: string;
  readonly tone: Tone;
  readonly before?: number;
}

interface Point {
  readonly run: ReportRun;
  readonly time: number;
  readonly value: number;
  readonly status: StatusTone;
  readonly isUnusual: boolean;
}

export function ValueChart(
  { measure, runs, change, level, unusual, note, scheduleId, dictionary }: {
    readonly measure: Measure;
    readonly runs: readonly ReportRun[];
    readonly change?: ChartedChange | null;
    readonly level?: { readonly name: string; readonly value: number };
    readonly unusual: ReadonlySet<number>;
    readonly note?: string;
    readonly scheduleId: number;
    readonly dictionary: StatusDictionary;
  },
) {
  const zone = useContext(Zone);
  const { name, format } = measure;
  const points = runs.slice(0, DRAWN).flatMap((run): Point[] => {
    const [time, value] = [timeOf(run.startTime), measure.of(run)];
    if (time === undefined || typeof value !== "number") return [];
    const status = statusTone(meaningOf(run.status, dictionary));
    return [{ run, time, value, status, isUnusual: unusual.has(run.id) }];
  }).reverse();
  if (points.length === 0) return null;
  // What failed runs delivered says nothing about what is usual.
  const succeeded = points.filter(({ status }) => status !== "bad");
  const values = (succeeded.length > 0 ? succeeded : points).map(({ value }) => value);
  const lines = [
    change?.before === undefined
      ? { name: "median", value: quantile(values, 0.5)! }
      : { name: "usually", value: change.before },
    ...(level ? [level] : []),
  ];
  const right = WIDTH - EDGE.right;
  const x = timeScale(points.map(({ time }) => time), EDGE.left, right);
  const y = heightScale(values.concat(lines.map(({ value }) => value)), measure);
  const placeOf = ({ time, value }: Point) => [round(x(time)), round(y.place(value))] as const;
  const isStep = ({ value }: Point, at: number) =>
    measure.isCount && at > 0 && value !== points[at - 1].value;
  const notable = points.filter((point, at) =>
    point.status !== "good" || point.isUnusual || isStep(point, at)
  );
  const usual = points.filter((point) => !notable.includes(point));
  const isChanged = ({ time }: Point) => change ? time >= change.at : false;
  const dots = (some: readonly Point[]) => some.map((point) => `M${placeOf(point).join(" ")}h0`);
  const levels = y.ticks.map((tick) => ({
    y: round(y.place(tick)),
    label: format(tick).replace(/ 00 (s|min)$|\.0(?= )/, ""),
  }));
  return (
    <Chart
      id="values"
      title={name}
      width={WIDTH}
      height={HEIGHT}
      caption={[
        `The latest ${formatCountOf(points.length, "run", "runs")}.`,
        note,
        y.isLogarithmic && "Logarithmic scale.",
      ].filter(Boolean).join(" ")}
      side={{
        width: EDGE.left - 4,
        labels: levels.map(({ y, label }) => (
          <text key={label} class="left" x={EDGE.left - 6} y={y + 4}>{label}</text>
        )),
      }}
    >
      <g class="axis" aria-hidden="true">
        {levels.map(({ y }) => <path key={y} class="grid" d={`M${EDGE.left} ${y}H${right}`} />)}
      </g>
      <TimeAxis scale={x} y={HEIGHT - EDGE.bottom} zone={zone} />
      {lines.map(({ name, value }) => (
        <g key={name} class="level">
          <path d={`M${EDGE.left} ${round(y.place(value))}H${right}`} />
          <text x={right + 6} y={round(y.place(value)) + 4}>
            {name} {format(value)}
          </text>
        </g>
      ))}
      {change && changeOf(change, x(change.at))}
      {seriesOf({
        kind: "good dots",
        label: change ? "Successful runs before" : "Successful runs",
        paths: dots(usual.filter((point) => !isChanged(point))),
      })}
      {change && seriesOf({
        kind: `${change.tone === "neutral" ? "good" : change.tone} dots`,
        label: "Successful runs since then",
        paths: dots(usual.filter(isChanged)),
      })}
      {(["bad", "neutral", "good"] as const).map((kind) =>
        seriesOf({
          kind,
          label: "Earlier runs that failed, changed or are unusual",
          paths: notable.slice(0, -MAX_LINKS).filter(({ status }) => status === kind)
            .map((point) => SHAPES[kind](...placeOf(point))),
        })
      )}
      {notable.slice(-MAX_LINKS).map((point) => {
        const { run, value, status, isUnusual } = point;
        const [left, top] = placeOf(point);
        return pointOf({
          href: runHref(scheduleId, run.id),
          label: [
            `${runLabel(run, zone)} ${formatZone(zone)}`,
            run.status || "no status",
            format(value) + (isUnusual ? ", unusual" : ""),
          ].join(", "),
          tone: status,
          path: SHAPES[status](left, top) + (isUnusual ? ring(left, top) : ""),
        });
      })}
    </Chart>
  );
}

/** Whether all runs have the same value, so that a chart would show nothing. */
export function isSteady(measure: Measure, runs: readonly ReportRun[]): boolean {
  const values = runs.flatMap((run) => measure.of(run) ?? []);
  return values.every((value) => value === values[0]);
}

function changeOf({ words, tone }: ChartedChange, at: number) {
  const left = round(Math.max(at - 4, EDGE.left));
  const isLeft = left + words.length * LETTER > WIDTH;
  return (
    <g class={`change ${tone}`}>
      <path d={`M${left} 4V${HEIGHT - EDGE.bottom}`} />
      <text class={isLeft ? "left" : "start"} x={isLeft ? left - 6 : left + 6} y={12}>{words}</text>
    </g>
  );
}

function ring(x: number, y: number): string {
  const circle = (radius: number, sweep: 0 | 1) =>
    `M${round(x - radius)} ${y}a${radius} ${radius} 0 1 ${sweep} ${2 * radius} 0` +
    `a${radius} ${radius} 0 1 ${sweep} ${-2 * radius} 0z`;
  return circle(7, 0) + circle(5.4, 1);
}

const ROUND = Array.from(
  { length: 14 },
  (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power),
)
  .flat();

/** A scale from values to heights; logarithmic if they differ by more than 8 times. */
function heightScale(
  values: readonly number[],
  { steps = ROUND, isCount = false }: Pick<Measure, "steps" | "isCount">,
) {
  const least = Math.max(steps[0], Math.min(...values));
  const most = Math.max(steps[0], ...values);
  const isLogarithmic = !isCount && most / least > 8;
  const [bottom, top] = isLogarithmic ? [least / 1.2, most * 1.1] : [0, most * 1.08];
  const along = isLogarithmic ? Math.log : (value: number) => value;
  const shareOf = (value: number) => (along(value) - along(bottom)) / (along(top) - along(bottom));
  // At most five lines, at equal distances.
  const step = steps.find((each) => top / each < 6) ?? top;
  const inside = steps.filter((each) => each > bottom && each < top);
  return {
    isLogarithmic,
    place: (value: number) =>
      HEIGHT - EDGE.bottom -
      shareOf(Math.min(Math.max(value, bottom), top)) * (HEIGHT - EDGE.bottom - EDGE.top),
    ticks: isLogarithmic
      ? inside.filter((_, at) => at % Math.ceil(inside.length / 6) === 0)
      : Array.from({ length: Math.ceil(top / step) - 1 }, (_, at) => (at + 1) * step),
  };
}
