import { meaningOf, type StatusDictionary } from "../../lib/runs/status.ts";
import type { ReportRun } from "../../lib/types.ts";
import { useContext } from "preact/hooks";
import { formatCountOf } from "../ui/format.ts";
import { Zone } from "../ui/zone.ts";
import { pointWords } from "./words.ts";

const STEP = 12;
const WIDTH = 9;
const HEIGHT = 36;

/**
 * Recent runs as a strip of bars, the newest at the right, each a link to its run. What a status
 * means is told by height and a notch as well as by colour: bad is tall and crossed, good is half,
 * neutral is low.
 */
export function RunStrip({ runs, href, dictionary }: {
  /** The runs, the newest first. */
  readonly runs: readonly ReportRun[];
  readonly href: (runId: number) => string;
  readonly dictionary: StatusDictionary;
}) {
  const zone = useContext(Zone);
  const bars = runs.toReversed();
  return (
    <figure class="strip">
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        width={bars.length * STEP}
        height={HEIGHT}
        role="group"
        aria-label={`Latest ${formatCountOf(bars.length, "run", "runs")}, the newest last`}
      >
        {bars.map((run, at) => {
          const meaning = meaningOf(run.status, dictionary);
          const words = pointWords(run, zone);
          return (
            <a key={run.id} href={href(run.id)} class={meaning} aria-label={words}>
              <title>{words}</title>
              <rect class="target" x={at * STEP} y={0} width={STEP} height={HEIGHT} />
              <path d={SHAPES[meaning](at * STEP + (STEP - WIDTH) / 2)} />
            </a>
          );
        })}
      </svg>
      <figcaption>{stripWords(runs)}</figcaption>
    </figure>
  );
}

const bar = (x: number, height: number) => `M${x} ${HEIGHT}v${-height}h${WIDTH}v${height}z`;

const SHAPES = {
  good: (x: number) => bar(x, HEIGHT / 2),
  neutral: (x: number) => bar(x, HEIGHT / 5),
  // The gap makes it another shape, not only a taller one.
  bad: (x: number) =>
    `${bar(x, HEIGHT / 2)}M${x} ${HEIGHT / 2 - 4}v${4 - HEIGHT / 2}h${WIDTH}v${HEIGHT / 2 - 4}z`,
};

/** The strip in words, such as `Latest 60 runs: 53 success, 7 failure`. */
export function stripWords(runs: readonly Pick<ReportRun, "status">[]): string {
  return `Latest ${formatCountOf(runs.length, "run", "runs")}: ${statusCounts(runs)}`;
}

/** How many runs have which status, such as `53 success, 7 failure`. */
export function statusCounts(runs: readonly Pick<ReportRun, "status">[]): string {
  const counts = new Map<string, number>();
  for (const { status } of runs) {
    const name = status || "no status";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} ${name}`)
    .join(", ");
}
