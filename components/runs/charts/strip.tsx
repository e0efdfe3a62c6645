import { useContext } from "preact/hooks";
import type { PlannedOutcome, PlannedRun } from "../../../lib/judgement/judge_schedule.ts";
import type { StripDrawing } from "../../page/go/entries.ts";
import { formatMoment, Zone } from "../../ui/zone.ts";
import { runHref } from "../run_links.ts";
import { MARK_HEIGHT, MARK_WIDTH, markStep, PLANNED_MARKS } from "./planned_marks.ts";

interface Stretch {
  readonly outcome: PlannedOutcome;
  readonly runs: PlannedRun[];
}

/**
 * The last planned runs, newest on the right, with a small mark for each run that nobody planned.
 * Marks differ by shape as well as colour; their legend stands once on a page.
 */
export function Strip({ planned, scheduleId }: {
  readonly planned: readonly PlannedRun[];
  /** Where given, failures are links to their runs. */
  readonly scheduleId?: number;
}) {
  const zone = useContext(Zone);
  if (planned.length === 0) return <span class="missing">no runs yet</span>;
  const stretches = stretchesOf(planned, scheduleId !== undefined);
  const { width, paths } = drawingOf(stretches);
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${width} ${MARK_HEIGHT}`}
      width={width}
      height={MARK_HEIGHT}
      preserveAspectRatio="xMaxYMid slice"
      role={scheduleId === undefined ? "img" : "group"}
      aria-label={stripWords(stretches)}
    >
      {stretches.map(({ outcome, runs }, at) => {
        const { words } = PLANNED_MARKS[outcome];
        const [tone, d] = paths[at];
        const [first, last] = [runs[0], runs.at(-1)!];
        const mark = (
          <path class={tone} d={d}>
            <title>
              {runs.length > 1 && `${runs.length} `}
              {words}, {formatMoment(first.at, zone)}
              {runs.length > 1 && ` to ${formatMoment(last.at, zone)}`}
            </title>
          </path>
        );
        const isLink = scheduleId !== undefined && isFailure(outcome) && last.run !== null;
        return isLink
          ? (
            <a
              href={runHref(scheduleId, last.run)}
              aria-label={`${words}, ${formatMoment(last.at, zone)}`}
            >
              {mark}
            </a>
          )
          : mark;
      })}
    </svg>
  );
}

/** A strip without links, as the palette loads it. */
export function stripDrawing(planned: readonly PlannedRun[]): StripDrawing | undefined {
  if (planned.length === 0) return undefined;
  const stretches = stretchesOf(planned, false);
  return { ...drawingOf(stretches), label: stripWords(stretches) };
}

/** The marks of each stretch as one path, from left to right, and how wide all are. */
function drawingOf(stretches: readonly Stretch[]): Pick<StripDrawing, "width" | "paths"> {
  let width = 0;
  const paths = stretches.map(({ outcome, runs }) => {
    const { tone, shape } = PLANNED_MARKS[outcome];
    const step = markStep(outcome);
    const d = runs.map((_, at) => `M${width + at * step} 0${shape}`).join("");
    width += runs.length * step;
    return [tone, d] as const;
  });
  return { width, paths };
}

function isFailure(outcome: PlannedOutcome): boolean {
  return outcome === "failed" || outcome === "extra-failed";
}

/** Each stretch of equal marks; failures alone where each is a link. */
function stretchesOf(planned: readonly PlannedRun[], hasLinks: boolean): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const run of planned) {
    const { outcome } = run;
    const last = stretches.at(-1);
    if (last?.outcome === outcome && !(hasLinks && isFailure(outcome))) last.runs.push(run);
    else stretches.push({ outcome, runs: [run] });
  }
  return stretches;
}

/** What a strip shows, oldest first, such as `Planned runs, newest last: 13 in time, 7 failed`. */
function stripWords(stretches: readonly Stretch[]): string {
  const words = stretches.map(({ outcome, runs }) =>
    `${runs.length} ${PLANNED_MARKS[outcome].words}`
  );
  // Of a restless schedule, the newest say enough.
  const cut = words.length > 12 ? ["…", ...words.slice(-12)] : words;
  return `Planned runs, newest last: ${cut.join(", ")}`;
}

/** What the marks mean: once on each page that has some, all by default. */
export function StripLegend({ outcomes }: { readonly outcomes?: ReadonlySet<PlannedOutcome> }) {
  const marks = Object.entries(PLANNED_MARKS) as [PlannedOutcome, typeof PLANNED_MARKS["met"]][];
  return (
    <ul class="strip-legend plain" aria-label="What the marks mean">
      {marks.filter(([outcome]) => outcomes?.has(outcome) ?? true).map((
        [outcome, { words, tone, shape }],
      ) => (
        <li key={outcome}>
          <svg
            class="strip"
            viewBox={`0 0 ${MARK_WIDTH} ${MARK_HEIGHT}`}
            width={MARK_WIDTH}
            height={MARK_HEIGHT}
            aria-hidden="true"
          >
            <path id={`mark-${outcome}`} class={tone} d={`M0 0${shape}`} />
          </svg>
          {words}
        </li>
      ))}
    </ul>
  );
}

/** A mark in a row of a table, drawn by the legend of the page: a page has hundreds of them. */
export function markOfRow(outcome: PlannedOutcome) {
  return (
    <svg class="mark">
      <use href={`#mark-${outcome}`} />
    </svg>
  );
}
