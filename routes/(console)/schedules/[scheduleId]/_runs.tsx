import {
  recipientChoices,
  runValues,
} from "../../../../components/runs/recipients/recipient_choices.ts";
import {
  MOST_LOADED,
  scheduleHref,
  SERVICE_PATH,
  viewHref,
} from "../../../../components/runs/run_links.tsx";
import { runCode } from "../../../../components/runs/search/export_runs.ts";
import {
  formatMatches,
  listRuns,
  RunResults,
  RunSegments,
} from "../../../../components/runs/search/run_table.tsx";
import { RUNS, shownRunColumns } from "../../../../components/runs/search/run_view.ts";
import { exportPath } from "../../../../components/search/page_view.ts";
import { invalidSearch } from "../../../../components/search/search_form.ts";
import { QueryField, SearchForm } from "../../../../components/search/search_form_view.tsx";
import { SearchMenu } from "../../../../components/search/search_menu.tsx";
import { RunSearch } from "../../../../islands/RunSearch.tsx";
import { formatCount } from "../../../../lib/format.ts";
import type { ConsoleState } from "../../_middleware.ts";
import type { ShownRuns } from "./_show_runs.ts";

/** The runs of a schedule, with their search. */
export function Runs({ shown, state }: {
  readonly shown: ShownRuns;
  readonly state: Pick<ConsoleState, "origin" | "preferences" | "services" | "statuses">;
}) {
  const { statuses: dictionary, preferences: { zone } } = state;
  const { serviceZone, serviceTokenHeader: tokenHeader } = state.services.settings;
  const { scheduleId, loaded, view, found, query, issues, isQueryWrong, verdict, outage } = shown;
  const { table } = RUNS;
  const columns = shownRunColumns(view.columns, loaded.runs);
  const recipients = recipientChoices(loaded.runs);
  const list = found && listRuns(found, { view, verdict, dictionary });
  // The segments have their number.
  const isAll = list && !list.show && list.total === loaded.runs.length;
  const names = new Map(recipients.map(({ userId, name }) => [userId, name]));
  const formTarget = { action: `${scheduleHref(scheduleId)}#runs`, method: "post" } as const;
  return (
    <>
      <h2 id="runs">Runs</h2>
      <div class="line apart bar">
        <div id="search-form">
          <SearchForm
            page={{ table, view, href: viewHref, zone, names }}
            target={formTarget}
            all="?#runs"
            error={found ? null : invalidSearch(issues)}
            help={<QueryHelp />}
          >
            {list && <RunSegments {...{ view, list }} />}
            <QueryField
              {...{ table, query }}
              example="status:failure started:last-month took:>5m"
              isWrong={isQueryWrong}
              values={runValues(loaded.runs, recipients)}
            />
            <button type="submit" class="past">Search</button>
          </SearchForm>
        </div>
        <div class="line tools">
          <RunSearch scheduleId={scheduleId} serviceZone={serviceZone} zone={zone} />
          <div id="search-tools">
            {found && (
              <SearchMenu
                href={(format) => exportPath(scheduleHref(scheduleId), view, table, format)}
                isStored={outage !== null}
                evidence={`/evidence?schedules=${scheduleId}`}
                note={list?.show && "Files, curl and the script have runs of every outcome."}
                code={runCode(scheduleId, view, { origin: state.origin, tokenHeader })}
                view={{ ...view, columns }}
                rows={RUNS}
                target={formTarget}
              />
            )}
          </div>
        </div>
      </div>
      <p class={isAll ? "past" : "result help"} role="status" tabIndex={-1} id="search-result">
        {list && formatMatches(list, loaded.runs.length)}
      </p>
      <div id="search-found">
        {list && <RunResults {...{ scheduleId, view, list, columns }} />}
        {(loaded.olderUnread || loaded.newerUnread) && (
          <p>
            There may be {loaded.newerUnread ? "more" : "older"} runs that were not loaded.{" "}
            {!view.load && (
              <a href={viewHref({ ...view, load: MOST_LOADED, skip: 0 })}>
                Load up to {formatCount(MOST_LOADED)} runs
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
