import { formatWhen } from "../../../lib/moments.ts";
import { useContext } from "preact/hooks";
import { capitalized, formatCount, formatCountOf, formatDuration } from "../../../lib/format.ts";
import type { JudgedPlan, PlannedOutcome, Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import { durationOf, timeOf } from "../../../lib/runs/times.ts";
import { SECOND } from "../../../lib/time_units.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { MISSING, useMoment } from "../../ui/moment.tsx";
import { Empty, TableFrame } from "../../ui/data_table.tsx";
import { RUN_QUERY } from "../../../lib/runs/run_search.ts";
import { SortHeader } from "../../search/sort_header.tsx";
import { columnLabel, isNumber } from "../../search/search_words.ts";
import { type RunView, SHOWN_OUTCOMES, type ShownOutcome, viewHref } from "../run_links.tsx";
import { formatRunValue, resultWords, Statuses } from "../run_words.tsx";
import { outcomeOfRun, PLANNED_MARKS, SIGNS } from "../charts/strip.tsx";
import { RUN_LIMIT, type RunColumn } from "./run_view.ts";
import { nothingHint } from "../../../lib/search/query_table.ts";
import { Pager } from "../../ui/pager.tsx";
import { Segments } from "../../ui/segments.tsx";
import { withBody } from "../../search/page_view.ts";
import { claimedCount, countRecipients } from "../../../lib/runs/recipients.ts";

type Moment = ReturnType<typeof useMoment>;

interface ShownRuns {
  readonly scheduleId: number;
  readonly view: RunView;
  readonly list: ReturnType<typeof listRuns>;
  readonly columns: readonly RunColumn[];
}

function RunTable({ list: { rows, outcomeOf, dueOf }, view, columns, scheduleId }: ShownRuns) {
  const moment = useMoment();
  const dictionary = useContext(Statuses);
  const page = { table: RUN_QUERY, view, href: viewHref };
  return (
    <TableFrame
      name="Runs"
      class={view.columns ? undefined : "few"}
      headings={columns.map((field) => <SortHeader key={field} {...{ field, page }} />)}
    >
      {rows.map((row, index) => {
        if ("unmet" in row) return unmetRow(row.unmet, columns.length - 1, moment);
        const { run } = row;
        const [outcome, due] = [outcomeOf(run), dueOf(run)];
        // A service may repeat an id, so the key needs the index too.
        return (
          <tr key={`${run.id} ${index}`}>
            {columns.map((field) =>
              toCell(run, field, { scheduleId, outcome, due, dictionary, ...moment })
            )}
          </tr>
        );
      })}
    </TableFrame>
  );
}

function unmetRow(unmet: readonly UnmetRun[], span: number, { now, zone }: Moment) {
  const [{ at, outcome }] = unmet;
  const { tone, words } = PLANNED_MARKS[outcome];
  return (
    <tr key={at}>
      <th scope="row">{formatWhen(at, now, zone)}</th>
      {span > 0 && (
        <td class="bad" colSpan={span}>
          <span aria-hidden="true">{SIGNS[tone]}</span> {capitalized(words)}: {unmet.length === 1
            ? "the planned run did not start"
            : `${formatCount(unmet.length)} planned runs since `}
          {unmet.length > 1 && formatWhen(unmet.at(-1)!.at, now, zone)}
        </td>
      )}
    </tr>
  );
}

/**
 * A cell. A function instead of a component, with as little markup as possible: a page has a
 * thousand of them. Links are relative to the schedule's page.
 */
function toCell(
  run: ReportRun,
  field: RunColumn,
  { scheduleId, outcome, due, zone, dictionary, now }: Moment & {
    readonly scheduleId: number;
    readonly outcome: PlannedOutcome;
    /** When it was planned, in milliseconds since 1970. */
    readonly due: number | undefined;
    readonly dictionary: StatusDictionary;
  },
) {
  switch (field) {
    case "startTime":
      return (
        <th key={field} scope="row">
          <a href={`${scheduleId}/runs/${run.id}`}>
            {run.startTime ? toMoment(run.startTime, zone, now) : `run ${run.id}`}
          </a>
          {due !== undefined && <span class="help">{latenessWords(run, due)}</span>}
        </th>
      );
    case "endTime":
      return (
        <td key={field} data-label={columnLabel(RUN_QUERY, field)}>
          {run.endTime ? toMoment(run.endTime, zone, now) : MISSING}
        </td>
      );
    case "status": {
      const { tone } = PLANNED_MARKS[outcome];
      const note = outcome === "extra-failed" ? "extra" : outcome;
      return (
        <td key={field} class={tone}>
          <span aria-hidden="true">{SIGNS[tone]}</span> {resultWords(run.status, dictionary)}
          {NAMED.has(note) && `, ${PLANNED_MARKS[note].words}`}
        </td>
      );
    }
    case "recipientCount": {
      const isFailed = outcome.endsWith("failed");
      // "7 did not get it" needs no label.
      const label = isFailed ? undefined : columnLabel(RUN_QUERY, field);
      return (
        <td key={field} class="number recipients" data-label={label}>
          {recipientWords(run, isFailed)}
        </td>
      );
    }
    case "automated":
      return <td key={field}>{readValue(run, field) || MISSING}</td>;
    default:
      return (
        <td
          key={field}
          class={isNumber(RUN_QUERY, field) ? "number" : undefined}
          data-label={columnLabel(RUN_QUERY, field)}
        >
          {readValue(run, field) || MISSING}
        </td>
      );
  }
}

/** How long after its time a run started, such as ` +20 s`. */
function latenessWords({ startTime }: ReportRun, due: number): string {
  const seconds = Math.round(((timeOf(startTime) ?? due) - due) / SECOND);
  return ` ${seconds < 0 ? "" : "+"}${formatDuration(seconds * SECOND)}`;
}

/** How many recipients are listed, and beside it the service's own number if it differs. */
function recipientWords(run: ReportRun, isFailed: boolean) {
  const count = countRecipients(run);
  if (count === null) return MISSING;
  const claimed = run.recipients ? claimedCount(run) : null;
  const words = `${formatCount(count)}${isFailed && count > 0 ? " did not get it" : ""}`;
  return claimed === null ? words : `${words} (claimed ${formatCount(claimed)})`;
}

const NAMED: ReadonlySet<PlannedOutcome> = new Set(["late", "by-hand", "extra"]);

function toMoment(at: string, zone: string, now: number) {
  const time = timeOf(at, zone);
  const words = time === undefined ? at : formatWhen(time, now, zone);
  return <span title={at.replace(".000Z", "Z")}>{words}</span>;
}

function readValue(run: ReportRun, field: Exclude<RunColumn, "startTime">) {
  return field === "duration" ? formatRunDuration(run) : formatRunValue(field, run[field]);
}

export function formatRunDuration(
  run: Pick<ReportRun, "startTime" | "endTime">,
): string | undefined {
  const ms = durationOf(run);
  return ms === undefined ? undefined : formatDuration(ms);
}

/** A planned run that did not happen; `at` is in milliseconds since 1970. */
interface UnmetRun {
  readonly at: number;
  readonly outcome: PlannedOutcome & ("missed" | "overdue");
}

type RunRow = { readonly run: ReportRun } | { readonly unmet: readonly UnmetRun[] };

/** More unmet runs in succession share one row. */
const MAX_UNMET_ROWS = 3;

/** What each run came to: as planned, or else by its status alone; and when it was planned. */
function outcomesBy(planned: Verdict["planned"], dictionary: StatusDictionary) {
  const byRun = new Map(planned.map((each) => [each.run, each]));
  return {
    outcomeOf(run: ReportRun): PlannedOutcome {
      const own = outcomeOfRun(run, dictionary);
      const asPlanned = byRun.get(run.id)?.outcome ?? own;
      // 06:00 succeeded, 06:02 failed: the planned run is met, and its last run failed.
      return own === "failed" && asPlanned === "met" ? own : asPlanned;
    },
    dueOf(run: ReportRun): number | undefined {
      const { at, outcome = "extra" } = byRun.get(run.id) ?? {};
      // Nobody planned it, or a person chose when it starts.
      return outcome.startsWith("extra") || outcome === "by-hand" ? undefined : at;
    },
  };
}

/** Planned runs that did not happen, newest first. */
function unmetRuns(schedule: JudgedPlan): readonly UnmetRun[] {
  return [
    ...schedule.overdue.map(({ at }): UnmetRun => ({ at, outcome: "overdue" })),
    ...schedule.missed.map(({ at }): UnmetRun => ({ at, outcome: "missed" })),
  ].toSorted((a, b) => b.at - a.at);
}

/** The runs of a page, newest first, and among them planned runs that did not happen. */
function runRows(
  runs: readonly ReportRun[],
  unmet: readonly UnmetRun[],
  { skip = 0, limit = RUN_LIMIT }: Pick<RunView, "skip" | "limit">,
): readonly RunRow[] {
  const shown = runs.slice(skip, skip + limit);
  let newest = skip === 0 ? Infinity : timeOf(runs[skip - 1]?.startTime) ?? Infinity;
  const since = (oldest: number) => {
    const found = unmet.filter(({ at }) => at < newest && at > oldest);
    newest = oldest;
    return found.length > MAX_UNMET_ROWS
      ? [{ unmet: found }]
      : found.map((each) => ({ unmet: [each] }));
  };
  const rows = shown.flatMap((run): RunRow[] => [
    ...since(timeOf(run.startTime) ?? newest),
    { run },
  ]);
  return skip + limit < runs.length ? rows : [...rows, ...since(-Infinity)];
}

/** The runs that match a search, narrowed to an outcome, and how many there are of each. */
export function listRuns(
  found: readonly ReportRun[],
  { view, verdict, dictionary }: {
    readonly view: RunView;
    readonly verdict: Pick<Verdict, "schedule" | "planned">;
    readonly dictionary: StatusDictionary;
  },
) {
  const { body: { filters = [], dateFilters = [], fieldSort = [] } } = view;
  const { skip = 0, limit = RUN_LIMIT } = view;
  const { outcomeOf, dueOf } = outcomesBy(verdict.schedule ? verdict.planned : [], dictionary);
  // A search or an order is about runs, so it has no planned runs that did not happen.
  const isSearch = filters.length + dateFilters.length + fieldSort.length > 0;
  const schedule = isSearch ? null : verdict.schedule;
  const unmet = schedule ? unmetRuns(schedule) : [];
  const show = schedule || view.show === "failed" ? view.show : undefined;
  const failed = found.filter((run) => outcomeOfRun(run, dictionary) === "failed");
  const isUnmet = show === "missed" || show === "overdue";
  const unmetShown = unmet.filter(({ outcome }) => outcome === show);
  const runs = show === "failed" ? failed : found;
  const rows: readonly RunRow[] = isUnmet
    ? unmetShown.slice(skip, skip + limit).map((each) => ({ unmet: [each] }))
    : runRows(runs, show ? [] : unmet, view);
  const counts = { overdue: 0, missed: 0, ...schedule?.counts, failed: failed.length };
  const total = isUnmet ? unmetShown.length : runs.length;
  return {
    show,
    all: found.length,
    /** Whether these are planned runs that did not happen. */
    isUnmet,
    counts,
    rows,
    /** How many are listed on this page, and on all pages. */
    count: isUnmet ? rows.length : runs.slice(skip, skip + limit).length,
    total,
    /** How many of them are too old to be listed. */
    unlisted: isUnmet ? counts[show] - total : 0,
    outcomeOf,
    dueOf,
  };
}

/** Links to all runs, and to those of each outcome that is not as it should be. */
export function RunSegments({ view, list: { show, all, counts } }: {
  readonly view: RunView;
  readonly list: Pick<ReturnType<typeof listRuns>, "show" | "all" | "counts">;
}) {
  const segment = (name: string, shown: ShownOutcome | undefined, count: number) => ({
    name,
    count,
    tone: shown && PLANNED_MARKS[shown].tone,
    href: viewHref({ ...view, show: shown, skip: 0 }),
    isCurrent: shown === show,
  });
  const present = SHOWN_OUTCOMES.filter((outcome) => counts[outcome] > 0 || outcome === show)
    .map((outcome) => segment(capitalized(outcome), outcome, counts[outcome]));
  return (
    <Segments
      label="Runs by outcome"
      segments={[segment("All", undefined, all), ...present]}
    />
  );
}

export function RunResults(props: ShownRuns) {
  const { view, list: { count, total, unlisted } } = props;
  const { skip = 0, limit = RUN_LIMIT } = view;
  return (
    <>
      {total === 0 && (
        <Empty>
          No runs match. Remove a condition, or{" "}
          <a href={viewHref({ ...withBody(view, {}), show: undefined })}>show all runs</a>.{" "}
          {nothingHint(view.body.filters ?? [], RUN_QUERY)}
        </Empty>
      )}
      {total > 0 && count === 0 && (
        <Empty>
          There are no more runs. <a href={viewHref({ ...view, skip: 0 })}>Go to the first page</a>
        </Empty>
      )}
      {count > 0 && (
        <>
          <RunTable {...props} />
          {unlisted > 0 && (
            <p>{formatCountOf(unlisted, "older one is", "older ones are")} not listed.</p>
          )}
        </>
      )}
      <Pager
        position={{ start: skip, count, limit, total }}
        href={(skip) => viewHref({ ...view, skip })}
        label="Pages of runs"
      />
    </>
  );
}

export function formatMatches(
  { total: count, isUnmet }: Pick<ReturnType<typeof listRuns>, "total" | "isUnmet">,
  loaded: number,
): string {
  if (isUnmet) return formatCountOf(count, "planned run", "planned runs");
  return count === loaded
    ? formatCountOf(loaded, "run", "runs")
    : `${formatCount(count)} of ${formatCountOf(loaded, "run", "runs")}`;
}
