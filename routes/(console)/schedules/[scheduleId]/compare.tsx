import { Empty } from "../../../../components/ui/empty.tsx";
import {
  PeriodsForm,
  RunsForm,
  type TypedComparison,
} from "../../../../components/runs/compare/compare_forms.tsx";
import { Comparison } from "../../../../components/runs/compare/comparison.tsx";
import { type NamedPeriod, readPeriod } from "../../../../components/runs/compare/named_period.ts";
import {
  type ComparedPeriod,
  PeriodComparison,
} from "../../../../components/runs/compare/period_comparison.tsx";
import { AddressSwitch } from "../../../../components/runs/recipients/address.tsx";
import { compareHref, MOST_RUNS } from "../../../../components/runs/run_links.ts";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { formatCount, wholeNumber } from "../../../../lib/format.ts";
import { summarizePeriod } from "../../../../lib/runs/period.ts";
import type { StatusDictionary } from "../../../../lib/runs/status.ts";
import { newestFirst, timeOf } from "../../../../lib/runs/times.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { judgeLoaded } from "../../../../server/schedules/judge_loaded.ts";
import type { LoadedRuns } from "../../../../lib/runs/load_runs.ts";
import { loadPage } from "../../../_errors.ts";
import { judgingOf, loadSchedule, type ScheduleRuns } from "../_runs.ts";
import { handler, page } from "./$compare.ts";

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const { statuses, zone } = ctx.state.preferences;
    const picked = searchParams.getAll("run");
    const result = await loadPage(ctx, async () => {
      const now = Date.now();
      const values = readValues(searchParams);
      const periods = readPeriods(values, { now, zone });
      let schedule = await loadSchedule(ctx);
      const wanted = [...picked, values.before, values.after].filter(Boolean).map(wholeNumber);
      const isEnough = ({ runs, older, newer }: LoadedRuns) =>
        (!older && !newer) ||
        (wanted.every((id) => id === null || runs.some((run) => run.id === id)) &&
          periods.every((period) => typeof period === "string" || !mayMissRuns(schedule, period)));
      // Older runs are loaded only if they are needed.
      if (!isEnough(schedule.loaded)) schedule = await loadSchedule(ctx, MOST_RUNS);
      const common = { ...schedule, zone };
      if (values.first || values.second) {
        const [first, second] = periods;
        const issues = { ...issueOf("first", first), ...issueOf("second", second) };
        if (typeof first === "string" || typeof second === "string") {
          return { ...common, typed: { values, issues }, pair: null, periods: null };
        }
        const { plan, pauses, calendar } = schedule.settings;
        const options = { ...judgingOf(ctx), now, plan, pauses, calendar };
        const verdict = await judgeLoaded(schedule.loaded, options);
        const missed = verdict.schedule?.missed.map(({ at }) => at) ?? null;
        const compared = [first, second].map((period) =>
          comparedPeriod(schedule, period, { statuses, missed, now })
        );
        return { ...common, typed: { values, issues }, pair: null, periods: compared };
      }
      return { ...common, ...selectedRuns(schedule, values, picked), periods: null };
    });
    const { shown } = result.data;
    if (!shown) return result;
    if (picked.length > 0 && shown.pair) {
      const [before, after] = shown.pair;
      return ctx.redirect(compareHref(shown.scheduleId, before.id, after.id), 303);
    }
    const issues = Object.values(shown.typed.issues);
    if (issues.length === 0) return result;
    return { ...result, status: issues.some((issue) => issue.startsWith("must")) ? 400 : 404 };
  },
});

function readValues(params: URLSearchParams): Record<string, string> {
  const names = ["before", "after", "first", "second"];
  return Object.fromEntries(names.map((name) => [name, params.get(name)?.trim() ?? ""]));
}

function readPeriods(
  { first, second }: Readonly<Record<string, string>>,
  context: { readonly now: number; readonly zone: string },
): readonly (NamedPeriod | string)[] {
  if (!first && !second) return [];
  return [first, second].map((text) => text ? readPeriod(text, context) : "must be given");
}

function issueOf(name: string, read: unknown): Readonly<Record<string, string>> {
  return typeof read === "string" ? { [name]: read } : {};
}

/** Whether some runs of a period may not have been loaded. */
function mayMissRuns({ loaded: { runs, older, newer } }: ScheduleRuns, { start }: NamedPeriod) {
  if (newer) return true;
  const oldest = runs.map(({ startTime }) => timeOf(startTime)).findLast((time) =>
    time !== undefined
  );
  return older && (oldest === undefined || oldest >= start);
}

function comparedPeriod(
  schedule: ScheduleRuns,
  period: NamedPeriod,
  { statuses, missed, now }: {
    readonly statuses: StatusDictionary;
    readonly missed: readonly number[] | null;
    readonly now: number;
  },
): ComparedPeriod {
  return {
    ...period,
    summary: summarizePeriod(schedule.loaded.runs, period, statuses),
    missed: missed && missed.filter((at) => at >= period.start && at < period.end).length,
    isPartial: mayMissRuns(schedule, period),
    isRunning: now < period.end,
  };
}

/** The runs to compare: those of the link, those picked in the table, or the latest two. */
function selectedRuns(
  { scheduleId, loaded }: ScheduleRuns,
  values: Readonly<Record<string, string>>,
  picked: readonly string[],
): { readonly typed: TypedComparison; readonly pair: readonly [ReportRun, ReportRun] | null } {
  const { runs, stopped } = loaded;
  const find = (text: string): ReportRun | string => {
    const id = wholeNumber(text);
    if (id === null) return "must be the id of a run, a whole number";
    const run = runs.find((run) => run.id === id);
    if (run) return run;
    return stopped === "end"
      ? `is not known: schedule ${scheduleId} has no run ${id}`
      : `was not found among the latest ${
        formatCount(runs.length)
      } runs; older ones were not loaded`;
  };
  const read = (names: readonly string[], texts: readonly string[]) => {
    const found = texts.map(find);
    const issues = Object.assign({}, ...found.map((one, at) => issueOf(names[at], one)));
    const [before, after] = found;
    const isPair = typeof before === "object" && typeof after === "object";
    return {
      typed: { values: Object.fromEntries(names.map((name, at) => [name, texts[at]])), issues },
      pair: isPair ? [before, after] as const : null,
    };
  };
  const names = ["before", "after"];
  if (picked.length > 0) {
    if (picked.length !== 2) {
      const detail = `must be selected: two runs, not ${formatCount(picked.length)}`;
      const shown = { before: picked[0], after: picked[1] ?? "" };
      return { typed: { values: shown, issues: { after: detail } }, pair: null };
    }
    const result = read(names, picked);
    if (!result.pair) return result;
    const [after, before] = newestFirst(result.pair);
    return { ...result, pair: [before, after] };
  }
  if (values.before || values.after) return read(names, [values.before, values.after]);
  if (runs.length < 2) return { typed: { values: {}, issues: {} }, pair: null };
  return read(names, [String(runs[1].id), String(runs[0].id)]);
}

export default page(({ data, params, state }) => {
  const { shown } = data;
  const { zone, statuses } = state.preferences;
  return (
    <>
      <ScheduleHeader current="compare" data={data} params={params} state={state} />
      {shown && (
        <>
          <RunsForm
            scheduleId={shown.scheduleId}
            runs={shown.loaded.runs}
            typed={shown.typed}
            dictionary={statuses}
            zone={zone}
          />
          <PeriodsForm
            scheduleId={shown.scheduleId}
            typed={shown.typed}
          />
          {(shown.pair || shown.periods) && (
            <>
              <h2 id="compared">Differences</h2>
              <p class="help">
                <AddressSwitch
                  anchor="compared"
                  params={String(queryOf(shown.typed.values))}
                />
              </p>
            </>
          )}
          {shown.pair && (
            <Comparison
              before={shown.pair[0]}
              after={shown.pair[1]}
              scheduleId={shown.scheduleId}
            />
          )}
          {shown.periods && (
            <PeriodComparison
              first={shown.periods[0]}
              second={shown.periods[1]}
            />
          )}
          {shown.loaded.runs.length < 2 && <Empty>This schedule has fewer than two runs.</Empty>}
        </>
      )}
    </>
  );
});

function queryOf(values: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
}
