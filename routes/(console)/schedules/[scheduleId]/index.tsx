import { useContext } from "preact/hooks";
import { FormKey } from "../../../../components/ui/form_key.tsx";
import { PlannedChart } from "../../../../components/runs/charts/planned_chart.tsx";
import { ScheduleSide } from "../../../../components/runs/schedule_side.tsx";
import { runCode } from "../../../../components/runs/search/run_code.ts";
import { RUNS, shownColumns } from "../../../../components/runs/search/run_view.ts";
import { formatMatches, RunResults } from "../../../../components/runs/search/run_table.tsx";
import { runValues } from "../../../../components/runs/search/run_suggestions.ts";
import { invalidSearch } from "../../../../components/search/search_form.ts";
import { SearchForm } from "../../../../components/search/search_form_view.tsx";
import { SearchMenu } from "../../../../components/search/search_menu.tsx";
import { RowForm } from "../../../../components/runs/incidents/silence.tsx";
import { Field } from "../../../../components/ui/form.tsx";
import { When } from "../../../../components/ui/moment.tsx";
import { Zone } from "../../../../components/ui/zone.ts";
import { exportPath } from "../../../../components/search/page_view.ts";
import { Observation, RunOwnerLine } from "../../../../components/runs/verdict/observation.tsx";
import { recipientChoices } from "../../../../components/runs/recipients/recipient_choices.ts";
import {
  nextLoad,
  scheduleHref,
  SERVICE_PATH,
  viewHref,
} from "../../../../components/runs/run_links.tsx";
import { LoadedNote, ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { Facts } from "../../../../components/runs/verdict/facts.tsx";
import { StateBadge } from "../../../../components/runs/verdict/state_badge.tsx";
import { VerdictLine } from "../../../../components/runs/verdict/verdict_line.tsx";
import { AutoRefresh } from "../../../../islands/AutoRefresh.tsx";
import { RunSearch } from "../../../../islands/RunSearch.tsx";
import { capitalized, formatCount } from "../../../../lib/format.ts";
import { describePlan } from "../../../../lib/judgement/plans/describe.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { loadPage } from "../../../_errors.ts";
import type { ConsoleState } from "../../_middleware.ts";
import { type ShownRuns, showRuns } from "./_show_runs.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  GET: (ctx) => showRuns(ctx, ctx.url.searchParams),

  /** The form is sent by POST, so that no typed address gets into a URL. */
  async POST(ctx) {
    let form: URLSearchParams;
    try {
      form = await readFormBody(ctx.req);
    } catch (thrown) {
      return await loadPage(ctx, () => Promise.reject(thrown));
    }
    return await showRuns(ctx, form);
  },
});

export default page(({ data, params, state }) => {
  const { shown } = data;
  return (
    <>
      <ScheduleHeader
        current="runs"
        plan={shown && <PlanLine shown={shown} />}
        owner={shown?.observed ? shown.settings.note : undefined}
        badge={shown && <StateBadge headline={shown.verdict.headline} />}
        data={data}
        params={params}
        state={state}
        actions={<a href="/schedules">Enter another schedule id</a>}
      >
        {shown?.observed && <SettingsForm shown={shown} />}
      </ScheduleHeader>
      {shown && <Shown shown={shown} state={state} />}
      {shown?.observed && <AutoRefresh parts={["verdict"]} zone={state.preferences.zone} />}
    </>
  );
});

interface ShownProps {
  readonly shown: ShownRuns;
  readonly state: Pick<ConsoleState, "origin" | "preferences" | "services" | "statuses">;
}

function Shown({ shown, state }: ShownProps) {
  const { scheduleId, loaded, view, observed, basis, verdict, owner, now } = shown;
  const { statuses } = state;
  return (
    <>
      {observed && <RowForm next={scheduleHref(scheduleId)} />}
      <div id="verdict">
        <VerdictLine {...{ verdict, scheduleId, statuses, now }}>
          {observed
            ? <Observation {...{ observed, loaded, basis, scheduleId, now }} />
            : <LoadedNote loaded={loaded} />}
        </VerdictLine>
        {loaded.runs.length > 0 && <Facts {...{ verdict, scheduleId, statuses, now }} />}
      </div>
      {loaded.runs.length > 0 && (
        <>
          <div id="run-chart">
            <PlannedChart {...{ verdict, view, scheduleId, now }} />
          </div>
          <div class="beside">
            <div>
              <Runs shown={shown} state={state} />
            </div>
            <ScheduleSide
              {...{ verdict, scheduleId, statuses, now }}
              watchedSince={observed?.created ?? null}
            >
              {owner && <RunOwnerLine {...{ owner, scheduleId, now }} />}
            </ScheduleSide>
          </div>
        </>
      )}
    </>
  );
}

function PlanLine({ shown: { scheduleId, verdict: { schedule }, now } }: {
  readonly shown: ShownRuns;
}) {
  const zone = useContext(Zone);
  const href = `${scheduleHref(scheduleId)}/plan`;
  if (!schedule) return <a href={href}>no plan</a>;
  const { plan, source, next } = schedule;
  return (
    <>
      {capitalized(describePlan(plan, { zone, now }))} · plan {source}{" "}
      {source === "inferred" && <a href={href}>Confirm</a>}
      {next !== null && [" · next ", <When key="next" at={next} now={now} />]}
    </>
  );
}

function SettingsForm({ shown: { scheduleId, settings } }: { readonly shown: ShownRuns }) {
  return (
    <form method="post" action="/schedules/watch">
      <FormKey />
      <input type="hidden" name="next" value={scheduleHref(scheduleId)} />
      <input type="hidden" name="id" value={scheduleId} />
      <Field
        name="schedule"
        label="Name"
        maxLength={100}
        value={settings.name}
        placeholder={settings.title}
      />
      <Field name="owner" label="Owner or note" maxLength={100} value={settings.note} />
      <button type="submit" name="action" value="owner">Save</button>
    </form>
  );
}

function Runs({ shown, state }: ShownProps) {
  const { statuses: dictionary, preferences: { zone } } = state;
  const { serviceZone, serviceTokenHeader: tokenHeader } = state.services.settings;
  const { scheduleId, loaded, view, found, query, condition, issues, meant, verdict, now } = shown;
  const load = nextLoad(view.load);
  const columns = shownColumns(view.columns, loaded.runs);
  const recipients = recipientChoices(loaded.runs);
  const names = new Map(recipients.map(({ userId, name }) => [userId, name]));
  const formTarget = { action: `${scheduleHref(scheduleId)}#runs`, method: "post" } as const;
  return (
    <>
      <h2 id="runs">Runs</h2>
      <div id="search-form">
        <SearchForm
          page={{ table: RUNS.table, view, href: viewHref, zone, names }}
          target={formTarget}
          all="?#runs"
          example="status:failure started:last-month took:>5m"
          values={runValues(loaded.runs, recipients)}
          error={found ? null : invalidSearch(issues)}
          place={issues.find(({ place }) => place)?.place}
          usable={meant && {
            href: viewHref({ ...view, body: meant.body }),
            text: `Did you mean ${meant.query}?`,
          }}
          help={<QueryHelp />}
          {...{ query, condition }}
        />
      </div>
      <div class="bar">
        <p class="result" role="status" tabIndex={-1} id="search-result">
          {found && formatMatches(found.length, loaded.runs.length)}
        </p>
        <div class="tools">
          <RunSearch scheduleId={scheduleId} serviceZone={serviceZone} zone={zone} />
          <div id="search-tools">
            {found && (
              <SearchMenu
                href={(format) => exportPath(scheduleHref(scheduleId), view, RUNS.table, format)}
                evidence={`/evidence?schedules=${scheduleId}`}
                code={runCode(scheduleId, view, { origin: state.origin, tokenHeader })}
                view={{ ...view, columns }}
                rows={RUNS}
                target={formTarget}
              />
            )}
          </div>
        </div>
      </div>
      <div id="search-found">
        {found && (
          <RunResults {...{ scheduleId, view, columns, dictionary, verdict, now }} runs={found} />
        )}
        {(loaded.olderUnread || loaded.newerUnread) && (
          <p>
            There may be {loaded.newerUnread ? "more" : "older"} runs that were not loaded.{" "}
            {load && (
              <a href={viewHref({ ...view, load, skip: 0 })}>
                Load up to {formatCount(load)} runs
              </a>
            )}
          </p>
        )}
      </div>
    </>
  );
}

function QueryHelp() {
  return (
    <>
      Words find titles, subjects, resources and statuses: <code>claims</code>. Conditions:{" "}
      <code>status:failure</code>, <code>started:last-month</code>,{" "}
      <code>started:2026-01..2026-03</code>, <code>{"took:>5m"}</code>,{" "}
      <code>{"email-size:>1MB"}</code>, <code>trigger:manual</code>,{" "}
      <code>recipient:@example.com</code>, <code>has:attachments</code>. A minus sign negates:{" "}
      <code>-status:success</code>. Sort with <code>sort:-took</code>.{" "}
      <a href={SERVICE_PATH}>What statuses mean</a>
    </>
  );
}
