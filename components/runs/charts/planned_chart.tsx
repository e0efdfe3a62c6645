import { formatBytes, formatCount, formatDuration } from "../../../lib/format.ts";
import type { PlannedRun, Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { countRecipients } from "../../../lib/runs/recipients.ts";
import { durationOf, timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Day } from "../../ui/moment.tsx";
import { Segments } from "../../ui/segments.tsx";
import { chartHref, type ChartName, CHARTS, type RunView } from "../run_links.tsx";
import { markStep, PLANNED_MARKS, Strip, StripLegend } from "./strip.tsx";

const MOST_PLANNED = 60;
const HEIGHT = 20;

const MEASURES: Readonly<
  Record<Exclude<ChartName, "result">, {
    readonly name: string;
    readonly of: (run: ReportRun, due: number) => number | null | undefined;
    readonly format: (value: number) => string;
  }>
> = {
  lateness: {
    name: "Lateness",
    of: ({ startTime }, due) => Math.max(0, (timeOf(startTime) ?? due) - due),
    format: formatDuration,
  },
  duration: { name: "Duration", of: durationOf, format: formatDuration },
  size: {
    name: "Size",
    of: ({ attachmentSize, emailSize }) => attachmentSize || emailSize,
    format: formatBytes,
  },
  recipients: { name: "Recipients", of: countRecipients, format: formatCount },
};

/** The latest planned runs over the full width: their results, or one measure as bars. */
export function PlannedChart({ verdict, view, scheduleId }: {
  readonly verdict: Pick<Verdict, "planned" | "runs">;
  readonly view: RunView;
  readonly scheduleId: number;
}) {
  const planned = verdict.planned.slice(-MOST_PLANNED);
  if (planned.length === 0) return null;
  const count = planned.filter(({ outcome }) => !outcome.startsWith("extra")).length;
  const chosen = view.chart ?? "result";
  return (
    <section class="card planned" aria-labelledby="planned-runs">
      <div class="line apart heading">
        <h2 id="planned-runs">
          {count > 0
            ? (
              <>
                Planned runs <span class="help">last {count}</span>
              </>
            )
            : "Runs"}
        </h2>
        <Segments
          label="What the chart shows"
          segments={CHARTS.map((chart) => ({
            name: chart === "result" ? "Result" : MEASURES[chart].name,
            href: chartHref(view, chart),
            isCurrent: chart === chosen,
          }))}
        />
      </div>
      <figure>
        {chosen === "result"
          ? <Strip planned={planned} scheduleId={scheduleId} isWide />
          : <Bars planned={planned} runs={verdict.runs} measure={MEASURES[chosen]} />}
        <figcaption class="line apart small">
          {[0, 0.25, 0.5, 0.75, 1].map((share) => {
            const { at } = planned[Math.round(share * (planned.length - 1))];
            return <Day key={share} at={at} />;
          })}
        </figcaption>
      </figure>
      <StripLegend outcomes={new Set(planned.map(({ outcome }) => outcome))} />
    </section>
  );
}

/** Bars as tall as a measure, in the tones of their runs. The table of runs has the numbers. */
function Bars({ planned, runs, measure: { name, of, format } }: {
  readonly planned: readonly PlannedRun[];
  readonly runs: readonly ReportRun[];
  readonly measure: typeof MEASURES["size"];
}) {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const values = planned.map(({ run, at }) => {
    const found = run === null ? undefined : byId.get(run);
    return found && of(found, at);
  });
  const most = values.reduce<number>((a, b) => Math.max(a, b ?? 0), 0);
  const words = values.some((value) => typeof value === "number")
    ? `at most ${format(most)}`
    : "not known";
  let x = 0;
  return (
    <>
      <svg
        class="strip wide"
        viewBox={`0 0 ${planned.length * markStep("met")} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name} of the last planned runs, ${words}`}
      >
        {planned.map(({ at, outcome }, index) => {
          const value = values[index];
          const height = most === 0 ? 0 : Math.round((value ?? 0) / most * HEIGHT * 10) / 10;
          const left = x;
          x += markStep("met");
          return (
            <path
              key={at}
              class={PLANNED_MARKS[outcome].tone}
              d={`M${left} ${HEIGHT}v${-height}h6v${height}z`}
            >
              <title>
                {typeof value === "number" ? format(value) : PLANNED_MARKS[outcome].words}
              </title>
            </path>
          );
        })}
      </svg>
      <p class="help">{name}, {words}</p>
    </>
  );
}
