import { useContext } from "preact/hooks";
// @ts-types="@types/d3-array"
import { max, min, range } from "d3-array";
// @ts-types="@types/d3-scale"
import { scaleLinear, scaleLog } from "d3-scale";
import { formatCount, formatCountOf, formatDuration } from "../../../lib/format.ts";
import type { Durations } from "../../../lib/runs/durations.ts";
import { meaningOf, type StatusDictionary, type StatusMeaning } from "../../../lib/runs/status.ts";
import { durationOf, timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Zone } from "../../ui/zone.ts";
import { Chart, levelsOf, MOST_LINKS, pointOf, round, seriesOf, SHAPES } from "../../ui/chart.tsx";
import { TimeAxis, timeScale } from "../../ui/time_axis.tsx";
import { runHref } from "../run_links.ts";
import { runDescription } from "../format.ts";

const DRAWN = 200;
const WIDTH = 720;
const HEIGHT = 220;
const EDGE = { left: 72, right: 84, top: 12, bottom: 26 };

interface Point {
  readonly run: ReportRun;
  readonly time: number;
  readonly ms: number;
  readonly meaning: StatusMeaning;
  readonly isOutlier: boolean;
}

/** The durations of runs, with the median, the 95th percentile, and outliers. */
export function DurationChart({ runs, durations, scheduleId, dictionary }: {
  /** The runs, newest first. */
  readonly runs: readonly ReportRun[];
  readonly durations: Durations<ReportRun>;
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
}) {
  const zone = useContext(Zone);
  const outliers = new Set(durations.outliers.map(({ id }) => id));
  const points = runs.slice(0, DRAWN).flatMap((run): Point[] => {
    const [time, ms] = [timeOf(run.startTime), durationOf(run)];
    if (time === undefined || ms === undefined || ms < 0) return [];
    const isOutlier = outliers.has(run.id);
    return [{ run, time, ms, meaning: meaningOf(run.status, dictionary), isOutlier }];
  }).reverse();
  if (points.length === 0 || durations.p50 === null) return null;
  const { p50, p95, spread, count } = durations;
  const isNotable = ({ meaning, isOutlier }: Point) => meaning !== "good" || isOutlier;
  const notable = points.filter(isNotable);
  const x = timeScale(points.map(({ time }) => time), EDGE.left, WIDTH - EDGE.right);
  const y = heightScale(points.map(({ ms }) => ms).concat(p50, p95!));
  const levels = levelsOf(
    y.ticks.map((tick) => ({
      y: round(y.place(tick)),
      label: formatDuration(tick).replace(/ 00 (s|min)$/, ""),
    })),
    { left: EDGE.left, right: WIDTH - EDGE.right, height: HEIGHT - EDGE.bottom + 5 },
  );
  return (
    <Chart
      id="durations"
      title="Duration"
      width={WIDTH}
      height={HEIGHT}
      caption={[
        `The latest ${formatCountOf(points.length, "run", "runs")} with a duration.`,
        `Lines: median (p50) and 95th percentile (p95) of ${formatCountOf(count, "run", "runs")}.`,
        spread
          ? `Rings: outliers, more than 3.5 median absolute deviations from the median of ${
            formatCountOf(spread.count, "run", "runs")
          } (${formatCount(durations.outliers.length)} in total).`
          : "Too few runs to detect outliers.",
        y.isLogarithmic && "Logarithmic scale.",
      ].filter(Boolean).join(" ")}
      side={levels.side}
    >
      {levels.lines}
      <TimeAxis scale={x} y={HEIGHT - EDGE.bottom} zone={zone} />
      {([["p50", p50], ["p95", p95!]] as const).map(([name, ms]) => (
        <g key={name} class={`level ${name}`}>
          <path d={`M${EDGE.left} ${round(y.place(ms))}H${WIDTH - EDGE.right}`} />
          <text x={WIDTH - EDGE.right + 6} y={round(y.place(ms)) + (name === "p50" ? 10 : 0)}>
            {name} {formatDuration(ms)}
          </text>
        </g>
      ))}
      {seriesOf({
        kind: "good dots",
        label: "Successful runs with a usual duration",
        paths: points.filter((point) => !isNotable(point))
          .map(({ time, ms }) => `M${round(x(time))} ${round(y.place(ms))}h0`),
      })}
      {(["bad", "neutral", "good"] as const).map((kind) =>
        seriesOf({
          kind,
          label: "Earlier runs that failed, or took unusually long or short",
          paths: notable.slice(0, -MOST_LINKS).filter(({ meaning }) => meaning === kind)
            .map(({ time, ms }) => SHAPES[kind](round(x(time)), round(y.place(ms)))),
        })
      )}
      {notable.slice(-MOST_LINKS).map(({ run, time, ms, meaning, isOutlier }) => {
        const [at, level] = [round(x(time)), round(y.place(ms))];
        return pointOf({
          href: runHref(scheduleId, run.id),
          label: `${runDescription(run, zone)}, ${formatDuration(ms)}${
            isOutlier ? ", outlier" : ""
          }`,
          meaning,
          path: SHAPES[meaning](at, level) + (isOutlier ? ring(at, level) : ""),
        });
      })}
    </Chart>
  );
}

/** A ring, drawn as an outline with a hole. */
function ring(x: number, y: number): string {
  const circle = (radius: number, sweep: 0 | 1) =>
    `M${round(x - radius)} ${y}a${radius} ${radius} 0 1 ${sweep} ${2 * radius} 0` +
    `a${radius} ${radius} 0 1 ${sweep} ${-2 * radius} 0z`;
  return circle(7, 0) + circle(5.4, 1);
}

/** A scale from durations to heights; logarithmic if durations differ by more than 12 times. */
function heightScale(values: readonly number[]) {
  const [least, most] = [Math.max(1000, min(values)!), Math.max(1000, max(values)!)];
  const isLogarithmic = most / least > 12;
  const heights = [HEIGHT - EDGE.bottom, EDGE.top];
  const scale = isLogarithmic
    ? scaleLog([least / 1.2, most * 1.1], heights)
    : scaleLinear([0, most * 1.08], heights);
  const [bottom, top] = scale.domain();
  // At most five lines, at equal distances.
  const step = STEPS.find((each) => top / each < 6) ?? top;
  return {
    isLogarithmic,
    place: (ms: number) => scale(Math.max(ms, bottom)),
    ticks: isLogarithmic
      ? STEPS.filter((each) => each > bottom && each < top)
      : range(step, top, step),
  };
}

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

const STEPS = [
  ...[1, 2, 5, 10, 20, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * MINUTE),
  ...[1, 2, 5, 10, 24, 48, 100].map((count) => count * HOUR),
];
