import { useContext } from "preact/hooks";
// @ts-types="@types/d3-array"
import { max } from "d3-array";
// @ts-types="@types/d3-scale"
import { scaleLinear } from "d3-scale";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Zone } from "../../ui/zone.ts";
import { Chart, levelsOf, pointOf, round, SHAPES } from "../../ui/chart.tsx";
import { TimeAxis, timeScale } from "../../ui/time_axis.tsx";
import { runHref } from "../run_links.ts";
import { runDescription } from "../format.ts";

const MAX_POINTS = 120;
const WIDTH = 640;
const HEIGHT = 160;
const EDGE = { left: 48, right: 16, top: 12, bottom: 26 };

/** The number of recipients over time, a point for each change; a line of text without any. */
export function RecipientChart({ runs, scheduleId, dictionary }: {
  /** The runs, newest first. */
  readonly runs: readonly ReportRun[];
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
}) {
  const zone = useContext(Zone);
  const counts = runs.flatMap((run) => {
    const [time, count] = [timeOf(run.startTime), run.recipientCount ?? run.recipients?.length];
    return time === undefined || typeof count !== "number" ? [] : [{ run, time, count }];
  }).reverse();
  if (counts.length === 0) return null;
  if (counts.every(({ count }) => count === counts[0].count)) {
    return (
      <p class="steady">
        {formatCountOf(counts[0].count, "recipient", "recipients")} in {counts.length === 1
          ? "the only run"
          : `each of ${formatCountOf(counts.length, "run", "runs")}`} with a recipient count.
      </p>
    );
  }
  const changes = counts.filter(({ count }, at) =>
    at === 0 || at === counts.length - 1 || count !== counts[at - 1].count
  );
  const points = changes.slice(-MAX_POINTS);
  const x = timeScale(counts.map(({ time }) => time), EDGE.left, WIDTH - EDGE.right);
  const y = scaleLinear(
    [0, Math.max(1, max(counts, ({ count }) => count)!)],
    [HEIGHT - EDGE.bottom, EDGE.top],
  ).nice(4);
  const levels = levelsOf(
    y.ticks(4).filter(Number.isInteger)
      .map((tick) => ({ y: round(y(tick)), label: formatCount(tick) })),
    { left: EDGE.left, right: WIDTH - EDGE.right, height: HEIGHT - EDGE.bottom + 5 },
  );
  const line = changes.map(({ time, count }, at) =>
    at === 0 ? `M${round(x(time))} ${round(y(count))}` : `H${round(x(time))}V${round(y(count))}`
  ).join("");
  return (
    <Chart
      id="recipients-over-time"
      title="Recipients over time"
      width={WIDTH}
      height={HEIGHT}
      caption={`${formatCountOf(counts.length, "run", "runs")} with a recipient count. ` +
        `Points: the first and the latest run, and ${
          changes.length > MAX_POINTS
            ? `the latest ${formatCount(MAX_POINTS)} changes`
            : "every change"
        }.`}
      side={levels.side}
    >
      {levels.lines}
      <TimeAxis scale={x} y={HEIGHT - EDGE.bottom} zone={zone} />
      <path class="line" d={line} />
      {points.map(({ run, time, count }) => {
        const meaning = meaningOf(run.status, dictionary);
        const [at, level] = [round(x(time)), round(y(count))];
        return pointOf({
          href: runHref(scheduleId, run.id),
          label: `${runDescription(run, zone)}, ${formatCountOf(count, "recipient", "recipients")}`,
          meaning,
          path: SHAPES[meaning](at, level),
        });
      })}
    </Chart>
  );
}
