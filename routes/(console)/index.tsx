import { Head } from "fresh/runtime";
import { dayCells, hoursUntil } from "../../components/runs/charts/day_grid.ts";
import { incidentHref, SeverityMark } from "../../components/runs/incidents/incident_table.tsx";
import {
  type OverviewRow,
  OverviewTable,
  STATE_MARKS,
} from "../../components/runs/overview/overview_table.tsx";
import { reasonWords } from "../../components/runs/verdict/reason_words.ts";
import { scheduleHref } from "../../components/runs/run_links.ts";
import { Choice } from "../../components/ui/form.tsx";
import { formatCount } from "../../components/ui/format.ts";
import { RelativeMoment } from "../../components/ui/moment.tsx";
import { Pager } from "../../components/ui/pager.tsx";
import type { Reason } from "../../lib/runs/judge/reason.ts";
import { defaultStatusDictionary } from "../../lib/runs/status.ts";
import { wholeNumber } from "../../server/config/whole_number.ts";
import type { Records } from "../../server/store/observer/records.ts";
import type { WatchedRun } from "../../server/store/observer/types.ts";
import { WATCH_STATES, type WatchedSchedule } from "../../server/store/observer/overview.ts";
import { incidentSummary, whyNotLooked } from "./incidents/_incidents.ts";
import { handler, page } from "./$index.ts";

const PAGE = 30;
const MOST_INCIDENTS = 8;
const MOST_DUE = 8;
/** A schedule of each few minutes has more runs in a day than its cells need. */
const MOST_RUNS = 100;
const MAX_TEXT = 100;

export const handlers = handler({
  async GET(ctx) {
    const { services } = ctx.state;
    const { searchParams } = ctx.url;
    const why = whyNotLooked(services);
    const now = Date.now();
    const filter = {
      state: WATCH_STATES.find((each) => each === searchParams.get("state")),
      text: searchParams.get("q")?.trim().slice(0, MAX_TEXT) || undefined,
      limit: PAGE,
      offset: Math.max(0, wholeNumber(searchParams.get("offset") ?? "") ?? 0),
    };
    const { records } = services;
    const hours = hoursUntil(now);
    if (!records) return { data: { why, now, hours, filter, watched: null } };
    const { overview } = records;
    const [counts, { items, total }, due, incidents] = await Promise.all([
      overview.countStates(),
      overview.list(filter),
      overview.nextDue(now, MOST_DUE),
      openIncidents(records),
    ]);
    const ids = items.map(({ scheduleId }) => scheduleId);
    const runs = await overview.runsSince(ids, hours[0], MOST_RUNS);
    const rows = items.map((each) => rowOf(each, runs.get(each.scheduleId)!, hours));
    return {
      data: { why, now, hours, filter, watched: { counts, rows, total, due, incidents } },
    };
  },
});

/** The open incidents, the most severe first, then the newest. */
async function openIncidents({ incidents, overview }: Records) {
  const [critical, warning] = await Promise.all(
    (["critical", "warning"] as const).map((severity) =>
      incidents.list({ state: "open", severity, limit: MOST_INCIDENTS })
    ),
  );
  const items = [...critical.items, ...warning.items].slice(0, MOST_INCIDENTS);
  const names = await overview.names(items.flatMap(({ scheduleId }) => scheduleId ?? []));
  return {
    total: critical.total + warning.total,
    items: items.map((incident) => ({
      id: incident.id,
      severity: incident.severity,
      opened: incident.opened,
      summary: incidentSummary(incident, names),
    })),
  };
}

function rowOf(
  schedule: WatchedSchedule,
  runs: readonly WatchedRun[],
  hours: readonly number[],
): OverviewRow {
  const { scheduleId, name, state, details, lastSuccess, nextDue, failure } = schedule;
  const reasons = (details?.reasons ?? []).filter(({ severity, code }) =>
    severity !== "info" || code === "never-ran"
  );
  // Verdicts are kept as they were written; these codes are the ones of `judgeSchedule`.
  const said = reasons.map((reason) => reasonWords(reason as Reason)).filter(Boolean);
  if (details === null) said.unshift("not looked at yet");
  if (failure !== null) said.unshift(`could not be looked at: ${failure}`);
  const sentence = said.join("; ");
  return {
    scheduleId,
    name,
    state,
    sentence: sentence && `${sentence[0].toUpperCase()}${sentence.slice(1)}.`,
    lastSuccess,
    isCut: runs.length === MOST_RUNS,
    cells: dayCells({
      runs: runs.map(({ start, run }) => ({ start, status: run.status })),
      statuses: schedule.statuses ?? defaultStatusDictionary(),
      missed: details?.missed ?? [],
      overdue: details?.overdue ?? [],
      nextDue,
    }, hours),
  };
}

export default page(({ data: { why, now, hours, filter, watched } }) => {
  const count = watched ? Object.values(watched.counts).reduce((sum, each) => sum + each, 0) : 0;
  const { state, text, offset } = filter;
  const href = (changed: { readonly state?: string; readonly offset?: number }) => {
    const params = new URLSearchParams();
    if (changed.state) params.set("state", changed.state);
    if (text) params.set("q", text);
    if (changed.offset) params.set("offset", String(changed.offset));
    return params.size > 0 ? `/?${params}` : "/";
  };
  return (
    <>
      <Head>
        <title>Overview · Docket</title>
      </Head>
      <h1>Overview</h1>
      {why && (
        <p class="notice bad" role="alert">
          Nothing is watched. {why}. <a href="/schedules">Report schedules</a>{" "}
          are judged whenever you open them.
        </p>
      )}
      {watched && count === 0 && <FirstWatch />}
      {watched && count > 0 && (
        <>
          <ul class="states" aria-label="Watched schedules by state">
            {WATCH_STATES.map((each) => (
              <li key={each}>
                <a
                  href={href({ state: each === state ? undefined : each })}
                  aria-current={each === state ? "true" : undefined}
                  class={watched.counts[each] > 0 ? STATE_MARKS[each][2] : "none"}
                >
                  <b>{formatCount(watched.counts[each])}</b>{" "}
                  <span aria-hidden="true">{STATE_MARKS[each][0]}</span>{" "}
                  {STATE_MARKS[each][1].toLowerCase()}
                </a>
              </li>
            ))}
          </ul>
          <div class="overview-lists">
            <section aria-labelledby="open-incidents">
              <h2 id="open-incidents">Open incidents ({formatCount(watched.incidents.total)})</h2>
              {watched.incidents.total === 0 && <p class="help">No open incidents.</p>}
              <ul>
                {watched.incidents.items.map(({ id, severity, opened, summary }) => (
                  <li key={id}>
                    <SeverityMark severity={severity} /> <a href={incidentHref(id)}>{summary}</a>
                    {" "}
                    <span class="help">
                      opened <RelativeMoment at={opened} now={now} />
                    </span>
                  </li>
                ))}
              </ul>
              {watched.incidents.total > watched.incidents.items.length && (
                <p>
                  <a href="/incidents?state=open">All open incidents</a>
                </p>
              )}
            </section>
            <section aria-labelledby="due-next">
              <h2 id="due-next">Due next</h2>
              {watched.due.length === 0 && <p class="help">No known plan has a next run.</p>}
              <ul>
                {watched.due.map(({ scheduleId, name, at }) => (
                  <li key={scheduleId}>
                    <a href={scheduleHref(scheduleId)}>{scheduleId} {name}</a>{" "}
                    <RelativeMoment at={at} now={now} />
                  </li>
                ))}
              </ul>
            </section>
          </div>
          <section aria-labelledby="last-day">
            <h2 id="last-day">Last 24 hours</h2>
            <form method="get" action="/" class="panel" role="search">
              <fieldset>
                <legend>Filter</legend>
                <Choice
                  name="state"
                  label="State"
                  selected={state ?? ""}
                  options={[
                    { value: "", text: "all" },
                    ...WATCH_STATES.map((value) => ({ value, text: value })),
                  ]}
                />
                <div class="labelled">
                  <label for="q">Name, owner or id</label>
                  <input id="q" name="q" maxLength={MAX_TEXT} value={text ?? ""} />
                </div>
                <button type="submit">Filter</button>
                {(state || text) && <a href="/">Clear</a>}
              </fieldset>
            </form>
            {watched.rows.length > 0
              ? <OverviewTable rows={watched.rows} hours={hours} now={now} />
              : (
                <div class="empty">
                  <p>No watched schedules match.</p>
                </div>
              )}
            <Pager
              position={{
                start: offset,
                count: watched.rows.length,
                limit: PAGE,
                total: watched.total,
              }}
              href={(start) => href({ state, offset: start })}
              label="Pages of schedules"
            />
          </section>
        </>
      )}
    </>
  );
});

/** How to begin where nothing is watched yet. */
function FirstWatch() {
  return (
    <div class="empty">
      <p>
        No schedules are watched yet. Docket looks at those that you add, and says what is wrong.
      </p>
      <form method="post" action="/schedules/watch">
        <input type="hidden" name="next" value="/" />
        <label for="watch-add">Schedules to watch</label>
        <div class="row">
          <input id="watch-add" name="add" autocomplete="off" required placeholder="101, 105-112" />
          <button type="submit">Watch</button>
        </div>
        <p class="help">Ids and ranges, separated by commas.</p>
      </form>
    </div>
  );
}
