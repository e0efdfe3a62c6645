import { formatWhen } from "../../../lib/moments.ts";
import { useContext } from "preact/hooks";
import { capitalized, formatCount, formatCountOf, formatDuration } from "../../../lib/format.ts";
import type { PlannedOutcome, Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import { durationOf, timeOf } from "../../../lib/runs/times.ts";
import { SECOND } from "../../../lib/time_units.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { useMoment } from "../../ui/moment.tsx";
import { DataTable, FilteredRows, Segments } from "../../ui/list.tsx";
import { Marked } from "../../ui/notices.tsx";
import { PlannedRuns } from "../plan/planned_runs.tsx";
import { RUN_QUERY } from "../../../lib/runs/run_search.ts";
import { SortHeader } from "../../search/sort_header.tsx";
import { columnLabel, isNumber } from "../../search/search_words.ts";
import { type RunView, SHOWN_OUTCOMES, type ShownOutcome, viewHref } from "../run_links.tsx";
import { formatRunValue, resultWords, Statuses } from "../run_words.tsx";
import { outcomeOfRun, PLANNED_MARKS, SIGNS } from "../charts/strip.tsx";
import { RUN_LIMIT, type RunColumn } from "./run_view.ts";
import { nothingHint } from "../../../lib/search/query_table.ts";
import { withBody } from "../../search/page_view.ts";
import { claimedCount, countRecipients } from "../../../lib/runs/recipients.ts";

interface ShownRuns {
  readonly scheduleId: number;
  readonly view: RunView;
  readonly list: ReturnType<typeof listRuns>;
  readonly columns: readonly RunColumn[];
}

function RunTable({ list: { runs, outcomeOf, dueOf }, view, columns, scheduleId }: ShownRuns) {
  const { now, zone } = useMoment();
  const dictionary = useContext(Statuses);
  const page = { table: RUN_QUERY, view, href: viewHref };
  const toCell = (run: ReportRun, field: RunColumn) => {
    switch (field) {
      case "startTime": {
        const due = dueOf(run);
        // Links are relative to the schedule's page.
        return (
          <>
            <a href={`${scheduleId}/runs/${run.id}`}>
              {run.startTime ? toMoment(run.startTime, zone, now) : `run ${run.id}`}
            </a>
            {due !== undefined && <span class="help">{latenessWords(run, due)}</span>}
          </>
        );
      }
      case "endTime":
        return run.endTime && toMoment(run.endTime, zone, now);
      case "status": {
        const outcome = outcomeOf(run);
        const { tone } = PLANNED_MARKS[outcome];
        const note = outcome === "extra-failed" ? "extra" : outcome;
        return (
          <Marked mark={[SIGNS[tone], tone]}>
            {resultWords(run, dictionary)}
            {NAMED.has(note) && `, ${PLANNED_MARKS[note].words}`}
          </Marked>
        );
      }
      case "recipientCount":
        return recipientWords(run, outcomeOf(run).endsWith("failed"));
      case "duration":
        return formatRunDuration(run);
      default:
        return formatRunValue(field, run[field]);
    }
  };
  return (
    <DataTable
      name="Runs"
      class={view.columns ? undefined : "few"}
      rows={runs}
      columns={columns.map((field) => ({
        name: columnLabel(RUN_QUERY, field),
        heading: <SortHeader key={field} {...{ field, page }} />,
        kind: isNumber(RUN_QUERY, field) ? "number" : undefined,
        cell: (run: ReportRun) => toCell(run, field),
      }))}
    />
  );
}

/** How long after its time a run started, such as ` +20 s`. */
function latenessWords({ startTime }: ReportRun, due: number): string {
  const seconds = Math.round(((timeOf(startTime) ?? due) - due) / SECOND);
  return ` ${seconds < 0 ? "" : "+"}${formatDuration(seconds * SECOND)}`;
}

/** How many recipients are listed, and beside it the service's own number if it differs. */
function recipientWords(run: ReportRun, isFailed: boolean) {
  const count = countRecipients(run);
  if (count === null) return null;
  const claimed = run.recipients ? claimedCount(run) : null;
  const more = claimed === null ? "" : ` (claimed ${formatCount(claimed)})`;
  return isFailed && count > 0
    ? <span class="lacking">{formatCount(count)} did not get it{more}</span>
    : formatCount(count) + more;
}

const NAMED: ReadonlySet<PlannedOutcome> = new Set(["late", "by-hand", "extra"]);

function toMoment(at: string, zone: string, now: number) {
  const time = timeOf(at, zone);
  const words = time === undefined ? at : formatWhen(time, now, zone);
  return <span title={at.replace(".000Z", "Z")}>{words}</span>;
}

export function formatRunDuration(
  run: Pick<ReportRun, "startTime" | "endTime">,
): string | undefined {
  const ms = durationOf(run);
  return ms === undefined ? undefined : formatDuration(ms);
}

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
  const show = schedule || view.show === "failed" ? view.show : undefined;
  const failed = found.filter((run) => outcomeOfRun(run, dictionary) === "failed");
  const unmet = schedule && (show === "missed" || show === "overdue")
    ? schedule[show].toSorted((a, b) => b.at - a.at)
      .map(({ at }) => ({ at, outcome: show, runs: [], isPaused: false }))
    : null;
  const runs = show === "failed" ? failed : found;
  const counts = { overdue: 0, missed: 0, ...schedule?.counts, failed: failed.length };
  const { length: total } = unmet ?? runs;
  return {
    show,
    all: found.length,
    counts,
    /** The planned runs of this page that did not happen, if those are listed instead of runs. */
    unmet: unmet?.slice(skip, skip + limit),
    runs: unmet ? [] : runs.slice(skip, skip + limit),
    /** How many are listed on all pages. */
    total,
    /** How many of them are too old to be listed. */
    unlisted: unmet && show ? counts[show] - total : 0,
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
  const { view, scheduleId, list: { runs, unmet, total, unlisted } } = props;
  const { skip = 0, limit = RUN_LIMIT } = view;
  const { length: count } = unmet ?? runs;
  return (
    <FilteredRows
      position={{ start: skip, count, limit, total }}
      href={(skip) => viewHref({ ...view, skip })}
      label="Pages of runs"
      empty={
        <>
          No runs match. Remove a condition, or{" "}
          <a href={viewHref({ ...withBody(view, {}), show: undefined })}>show all runs</a>.{" "}
          {nothingHint(view.body.filters ?? [], RUN_QUERY)}
        </>
      }
    >
      {unmet
        ? <PlannedRuns name="Planned runs" planned={unmet} scheduleId={scheduleId} />
        : <RunTable {...props} />}
      {unlisted > 0 && (
        <p>{formatCountOf(unlisted, "older one is", "older ones are")} not listed.</p>
      )}
    </FilteredRows>
  );
}

export function formatMatches(
  { total: count, unmet }: Pick<ReturnType<typeof listRuns>, "total" | "unmet">,
  loaded: number,
): string {
  if (unmet) return formatCountOf(count, "planned run", "planned runs");
  return count === loaded
    ? formatCountOf(loaded, "run", "runs")
    : `${formatCount(count)} of ${formatCountOf(loaded, "run", "runs")}`;
}
