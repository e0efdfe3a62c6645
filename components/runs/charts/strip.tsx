import { wordsIn } from "../../../lib/moments.ts";
import type { PlannedOutcome, PlannedRun, Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { Day, useMoment } from "../../ui/moment.tsx";
import { chartHref, type ChartName, CHARTS, runHref, type RunView } from "../run_links.tsx";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { formatBytes, formatCount, formatDuration } from "../../../lib/format.ts";
import { countRecipients } from "../../../lib/runs/recipients.ts";
import { durationOf, timeOf } from "../../../lib/runs/times.ts";
import { Segments } from "../../ui/list.tsx";

interface Stretch {
  readonly outcome: PlannedOutcome;
  readonly runs: PlannedRun[];
  d: string;
}

/**
 * The last planned runs, newest on the right, with a small mark for each unplanned run.
 * Marks differ by shape as well as colour; each page has one legend.
 */
export function Strip({ planned, scheduleId, isWide = false }: {
  readonly planned: readonly PlannedRun[];
  /** Whether it is as wide as the page. */
  readonly isWide?: boolean;
  /** If given, failures are links to their runs. */
  readonly scheduleId?: number;
}) {
  const { now, zone } = useMoment();
  if (planned.length === 0) return <span class="missing">none known</span>;
  const when = wordsIn(zone, now);
  const hasLinks = scheduleId !== undefined;
  const { stretches, width } = groupPlanned(planned, hasLinks);
  const heard = hasLinks ? groupPlanned(planned, false).stretches : stretches;
  return (
    <svg
      class={isWide ? "strip wide" : "strip"}
      viewBox={`0 0 ${width} ${MARK_HEIGHT}`}
      width={width}
      height={MARK_HEIGHT}
      preserveAspectRatio={isWide ? "none" : "xMaxYMid slice"}
      role={hasLinks ? "group" : "img"}
      aria-label={stripWords(heard)}
    >
      {stretches.map(({ outcome, runs, d }) => {
        const { words, tone } = PLANNED_MARKS[outcome];
        const [first, last] = [runs[0], runs.at(-1)!];
        const mark = (
          <path class={tone} d={d}>
            <title>
              {runs.length > 1 && `${runs.length} `}
              {words}, {when(first.at)}
              {runs.length > 1 && ` to ${when(last.at)}`}
            </title>
          </path>
        );
        const isLink = hasLinks && isFailure(outcome) && last.run !== null;
        return isLink
          ? (
            <a
              href={runHref(scheduleId, last.run)}
              aria-label={`${words}, ${when(last.at)}`}
            >
              {mark}
            </a>
          )
          : mark;
      })}
    </svg>
  );
}

function isFailure(outcome: PlannedOutcome): boolean {
  return outcome === "failed" || outcome === "extra-failed";
}

/** Groups of equal marks in a row, or single failures if they are links; and the total width. */
function groupPlanned(planned: readonly PlannedRun[], hasLinks: boolean) {
  const stretches: Stretch[] = [];
  let width = 0;
  for (const run of planned) {
    const { outcome } = run;
    let last = stretches.at(-1);
    if (last?.outcome !== outcome || (hasLinks && isFailure(outcome))) {
      last = { outcome, runs: [], d: "" };
      stretches.push(last);
    }
    last.runs.push(run);
    last.d += `M${width} 0${PLANNED_MARKS[outcome].shape}`;
    width += markStep(outcome);
  }
  return { stretches, width };
}

/** What a strip shows, oldest first, such as `Planned runs, newest last: 13 on time, 7 failed`. */
function stripWords(stretches: readonly Stretch[]): string {
  const words = stretches.map(({ outcome, runs }) =>
    `${runs.length} ${PLANNED_MARKS[outcome].words}`
  );
  // If outcomes alternate, the newest are enough.
  const cut = words.length > 12 ? ["…", ...words.slice(-12)] : words;
  const isPlanned = stretches.some(({ outcome }) => !outcome.startsWith("extra"));
  return `${isPlanned ? "Planned runs" : "Runs"}, newest last: ${cut.join(", ")}`;
}

/** What the marks mean, once on each page; by default all of them. */
export function StripLegend({ outcomes }: { readonly outcomes?: ReadonlySet<PlannedOutcome> }) {
  const marks = Object.entries(PLANNED_MARKS) as [PlannedOutcome, typeof PLANNED_MARKS["met"]][];
  return (
    <ul class="line plain small strip-legend" aria-label="What the marks mean">
      {marks.filter(([outcome]) => outcomes?.has(outcome) ?? true).map((
        [outcome, { words, tone, shape }],
      ) => (
        <li key={outcome} class="line">
          <svg
            class="strip"
            viewBox={`0 0 ${MARK_WIDTH} ${MARK_HEIGHT}`}
            width={MARK_WIDTH}
            height={MARK_HEIGHT}
            aria-hidden="true"
          >
            <path class={tone} d={`M0 0${shape}`} />
          </svg>
          {words}
        </li>
      ))}
    </ul>
  );
}

export const MARK_WIDTH = 6;
export const MARK_HEIGHT = 20;

/** What stands for a tone in a table. */
export const SIGNS = { good: "✓", bad: "✕", late: "◷", neutral: "○" } as const;

interface PlannedMark {
  readonly words: string;
  readonly tone: keyof typeof SIGNS;
  /** A filled path from the upper left corner. */
  readonly shape: string;
}

const BOX = "h6v20h-6z";
/** Drawn in the opposite direction, so that it is a hole in the box. */
const HOLE = "m1.5 1.5v17h3v-17z";

/** Good is low and quiet, bad is tall and notched or hollow, so that trouble shows without colour. */
export const PLANNED_MARKS: Readonly<Record<PlannedOutcome, PlannedMark>> = {
  met: { words: "on time", tone: "good", shape: "m0 8h6v12h-6z" },
  late: { words: "late", tone: "late", shape: "m0 4h6v7h-6zm0 9h6v7h-6z" },
  failed: { words: "failed", tone: "bad", shape: "h6v20l-3-4l-3 4z" },
  missed: { words: "missed", tone: "bad", shape: BOX + HOLE },
  overdue: { words: "overdue", tone: "bad", shape: `${BOX}${HOLE}m1 3h1v8h-1zm0 10h1v2h-1z` },
  "by-hand": { words: "started by hand instead", tone: "late", shape: "m3 8l3 12h-6z" },
  other: { words: "with another status", tone: "neutral", shape: "m3 6l3 7l-3 7l-3-7z" },
  // By a pause or a calendar, or as the schedule is too new to tell.
  excused: { words: "not expected", tone: "neutral", shape: "m0 17h6v2h-6z" },
  due: { words: "due", tone: "neutral", shape: "m0 8h6v12h-6zm1 1v10h4v-10z" },
  running: { words: "running", tone: "neutral", shape: "m0 8h6v12h-6zm1 1v5h4v-5z" },
  extra: { words: "not planned", tone: "good", shape: "m0 16h4v4h-4z" },
  "extra-other": {
    words: "not planned, no known result",
    tone: "neutral",
    shape: "m2 14l2 3l-2 3l-2-3z",
  },
  "extra-failed": {
    words: "not planned, failed",
    tone: "bad",
    shape: "m0 15l1-1l1.5 1.5l1.5-1.5l1 1l-1.5 1.5l1.5 1.5l-1 1l-1.5-1.5l-1.5 1.5l-1-1l1.5-1.5z",
  },
};

/** How wide a mark is: those of unplanned runs are small. */
function markStep(outcome: PlannedOutcome): number {
  return outcome.startsWith("extra") ? 6 : MARK_WIDTH + 2;
}

export function outcomeOfRun(run: ReportRun, dictionary: StatusDictionary): PlannedOutcome {
  const meaning = meaningOf(run.status, dictionary);
  return meaning === "good" ? "met" : meaning === "bad" ? "failed" : "other";
}

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
    of: ({ startTime }, due) => Math.max(0, timeOf(startTime)! - due),
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
