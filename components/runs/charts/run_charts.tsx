import { useContext } from "preact/hooks";
import { formatCountOf, formatDuration } from "../../../lib/format.ts";
import { headline } from "../../../lib/judgement/headline.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { reasonText } from "../../../lib/judgement/reason_text.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import { newestFirst } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Zone } from "../../ui/zone.ts";
import type { ObservedSchedule } from "../verdict/observation.tsx";
import { reasonMark } from "../verdict/state_badge.tsx";
import { leadOf } from "../verdict/verdict_line.tsx";
import { chartHref, type RunView } from "../run_links.tsx";
import { Calendar } from "./calendar.tsx";
import { CHART_NAMES, type ChartName, chartOf, isChange, measureOf } from "./measures.ts";
import { type ChartedChange, isSteady, ValueChart } from "./value_chart.tsx";

export function RunCharts({ loaded, found, verdict, view, scheduleId, dictionary, incidents }: {
  readonly loaded: readonly ReportRun[];
  readonly found: readonly ReportRun[] | null;
  readonly verdict: Verdict;
  readonly view: RunView;
  readonly scheduleId: number;
  readonly dictionary: StatusDictionary;
  readonly incidents?: ObservedSchedule["marked"];
}) {
  const zone = useContext(Zone);
  // Charts show the newest runs first, however the table is sorted.
  const runs = found ? newestFirst(found) : loaded;
  if (runs.length === 0) return null;
  const isFiltered = runs.length < loaded.length;
  const lead = leadOf(verdict, headline(verdict));
  const measures = CHART_NAMES.flatMap((name) =>
    name === "days" ? [] : [{ name, measure: measureOf(name, verdict.planned) }]
  );
  const steady = measures.filter(({ measure }) => isSteady(measure, runs));
  const same = steady.flatMap(({ measure: { name, of, format } }) => {
    const value = runs.map(of).find((value) => typeof value === "number");
    return value === undefined ? [] : [`${name.toLowerCase()} ${format(value)}`];
  });
  const drawn = CHART_NAMES.filter((name) => !steady.some((other) => other.name === name));
  const asked = lead ? chartOf(lead) : null;
  const chosen = view.chart ?? (drawn.find((name) => name === asked) || null);
  const measure = measures.find(({ name }) => name === chosen)?.measure;
  const common = { runs, scheduleId, dictionary };
  return (
    <>
      <nav class="chart-links" aria-label="Charts">
        <ul class="tabs">
          {drawn.map((name) => (
            <li key={name}>
              <a href={chartHref(view, name)} aria-current={name === chosen ? "true" : undefined}>
                {name === "days" ? "Calendar" : measureOf(name, []).name}
              </a>
            </li>
          ))}
        </ul>
        {same.length > 0 && <p class="help">The same in every run: {same.join(", ")}.</p>}
      </nav>
      {chosen !== null && isFiltered && (
        <p class="help">
          The chart shows {formatCountOf(runs.length, "matching run", "matching runs")}.{" "}
          <a href="#runs">Change the search</a>
        </p>
      )}
      {chosen === "days" && (
        <Calendar {...common} verdict={isFiltered ? null : verdict} incidents={incidents} />
      )}
      {chosen !== null && measure && (
        <ValueChart
          {...common}
          {...detailsOf(chosen, verdict, lead)}
          measure={measure}
          change={lead && chosen === asked ? changeOf(lead, zone) : null}
        />
      )}
    </>
  );
}

function changeOf(lead: Reason, zone: string): ChartedChange | null {
  if (!isChange(lead)) return null;
  const day = new Date(lead.since)
    .toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: zone });
  const before = levelBefore(lead);
  return {
    at: lead.since,
    words: `${day}: ${reasonText(lead, { zone }).replace(/ \(.*|, \d+ runs$/, "")}`,
    tone: lead.severity === "info" ? "neutral" : reasonMark(lead)[1],
    ...(before !== undefined && { before }),
  };
}

function levelBefore(reason: Reason): number | undefined {
  switch (reason.code) {
    case "empty-delivery":
      return reason.almost?.before;
    case "recipients-dropped":
    case "size-jump":
    case "slower":
      return reason.before;
  }
}

function detailsOf(chosen: ChartName, verdict: Verdict, lead: Reason | undefined) {
  const { durations: { spread, p95, outliers }, schedule } = verdict;
  if (chosen === "duration" && spread && p95 !== null) {
    return {
      unusual: new Set(outliers.map(({ id }) => id)),
      level: { name: "p95", value: p95 },
      note: `Ringed: unusual, under ${formatDuration(spread.low)} or over ${
        formatDuration(spread.high)
      }.`,
    };
  }
  const isLate = lead?.code === "late" && lead.due === null;
  return {
    unusual: new Set(chosen === "starts" && isLate ? lead.runs : []),
    ...(chosen === "starts" && schedule && {
      level: { name: "grace", value: schedule.plan.graceMs },
      note: "A planned run that starts after the grace is late.",
    }),
  };
}
