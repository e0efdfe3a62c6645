import { formatCountOf } from "../../../lib/format.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { useContext } from "preact/hooks";
import { pointOf, seriesOf } from "../../ui/chart.tsx";
import { Zone } from "../../ui/zone.ts";
import { runDescription } from "../format.ts";
import { runHref } from "../run_links.ts";

const STEP = 12;
const WIDTH = 9;
const HEIGHT = 36;

/**
 * Recent runs as bars, newest on the right; those that did not succeed are links. Shapes differ as
 * well as colours: failures are tall with a gap, successes are half as tall, neutral runs are low.
 */
export function RunStrip({ runs, scheduleId, dictionary }: {
  /** The runs, newest first. */
  readonly runs: readonly ReportRun[];
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
}) {
  const zone = useContext(Zone);
  const bars = runs.toReversed().map((run, at) => {
    const meaning = meaningOf(run.status, dictionary);
    return { run, meaning, path: SHAPES[meaning](at * STEP + (STEP - WIDTH) / 2) };
  });
  const good = bars.filter(({ meaning }) => meaning === "good");
  return (
    <figure class="strip">
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        width={bars.length * STEP}
        height={HEIGHT}
        role="group"
        aria-label={`Latest ${formatCountOf(bars.length, "run", "runs")}, newest last`}
      >
        {seriesOf({
          kind: "good",
          label: formatCountOf(good.length, "successful run", "successful runs"),
          paths: good.map(({ path }) => path),
        })}
        {bars.filter(({ meaning }) => meaning !== "good").map(({ run, meaning, path }) =>
          pointOf({
            href: runHref(scheduleId, run.id),
            label: runDescription(run, zone),
            meaning,
            path,
          })
        )}
      </svg>
      <figcaption>{stripCaption(runs)}</figcaption>
    </figure>
  );
}

const bar = (x: number, height: number) => `M${x} ${HEIGHT}v${-height}h${WIDTH}v${height}z`;

const SHAPES = {
  good: (x: number) => bar(x, HEIGHT / 2),
  neutral: (x: number) => bar(x, HEIGHT / 5),
  // The gap distinguishes it without colour.
  bad: (x: number) =>
    `${bar(x, HEIGHT / 2)}M${x} ${HEIGHT / 2 - 4}v${4 - HEIGHT / 2}h${WIDTH}v${HEIGHT / 2 - 4}z`,
};

/** The caption, such as `Latest 60 runs: 53 success, 7 failure`. */
function stripCaption(runs: readonly Pick<ReportRun, "status">[]): string {
  return `Latest ${formatCountOf(runs.length, "run", "runs")}: ${statusCounts(runs)}`;
}

/** The number of runs of each status, such as `53 success, 7 failure`. */
export function statusCounts(runs: readonly Pick<ReportRun, "status">[]): string {
  const counts = new Map<string, number>();
  for (const { status } of runs) {
    const name = status || "no status";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} ${name}`)
    .join(", ");
}
