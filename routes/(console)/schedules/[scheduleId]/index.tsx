import { Head } from "fresh/runtime";
import { TroubleNotice } from "../../../../components/notice.tsx";
import { RunStrip } from "../../../../components/runs/strip.tsx";
import type { RunRow } from "../../../../components/runs/table.tsx";
import { runHref, runsHref } from "../../../../components/runs/view.ts";
import { RunSearch } from "../../../../islands/RunSearch.tsx";
import { parseRunFilter } from "../../../../lib/runs/filter.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { parseSearchUrl } from "../../../../lib/search_url.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { afterVisit, writePreferences } from "../../../../server/preferences.ts";
import { ProblemError } from "../../../../server/problem.ts";
import { readScheduleId } from "../../../_schedule_id.ts";
import { pageTrouble } from "../../../_trouble.ts";
import { handler, page } from "./$index.ts";

/** How many runs the strip shows. */
const STRIP_RUNS = 60;

export const handlers = handler({
  async GET(ctx) {
    const { scheduleId: written } = ctx.params;
    try {
      const { view, faults } = parseSearchUrl(ctx.url.searchParams);
      if (faults.length > 0) {
        throw new ProblemError(400, "This link can't be read", { errors: faults });
      }
      const scheduleId = readScheduleId(written);
      if (scheduleId === null) throw new ProblemError(404, "A schedule id is a whole number");
      const { limit = 100, skip = 0 } = view;
      const filter = parseRunFilter(ctx.url.searchParams);
      // A form sends what was left empty as well.
      if ([...ctx.url.searchParams.values()].includes("")) {
        return ctx.redirect(runsHref(scheduleId, { filter, limit, skip }), 303);
      }
      const { signal } = ctx.req;
      const history = ctx.state.backend.reportSchedules.history.bind(
        ctx.state.backend.reportSchedules,
      );
      const [runs, newest] = await Promise.all([
        history(scheduleId, { limit, skip, signal }),
        skip === 0 && limit >= STRIP_RUNS
          ? null
          : history(scheduleId, { limit: STRIP_RUNS, signal }),
      ]);
      const headers = new Headers();
      writePreferences(
        headers,
        afterVisit(ctx.state.preferences, scheduleId),
        ctx.state.origin.startsWith("https:"),
      );
      return {
        data: {
          written,
          shown: {
            scheduleId,
            runs: runs.map(withoutRecipients),
            strip: newestFirst(newest ?? runs).slice(0, STRIP_RUNS).map(withoutRecipients),
            title: newestFirst(newest ?? runs)[0]?.reportTitle ?? null,
            filter,
            limit,
            skip,
          },
          trouble: null,
        },
        headers,
      };
    } catch (error) {
      const { trouble, ...answer } = pageTrouble(error, ctx.req, ctx.state);
      return { data: { written, shown: null, trouble }, ...answer };
    }
  },
});

export default page(({ data: { written, shown, trouble }, state }) => {
  const title = shown?.title ?? `Schedule ${written}`;
  const dictionary = defaultStatusDictionary();
  return (
    <>
      <Head>
        <title>{`${title} · Docket`}</title>
      </Head>
      <nav aria-label="Path" class="path">
        <a href="/schedules">Report schedules</a>
      </nav>
      <h1>{title}</h1>
      {shown && shown.title && <p class="help">Schedule {shown.scheduleId}</p>}
      {trouble && (
        <TroubleNotice trouble={trouble}>
          <p>
            <a href="/schedules">Enter another schedule id</a>
          </p>
        </TroubleNotice>
      )}
      {shown && (shown.strip.length > 0
        ? (
          <>
            <RunStrip
              runs={shown.strip}
              dictionary={dictionary}
              href={(runId) => runHref(shown.scheduleId, runId)}
            />
            <RunSearch
              scheduleId={shown.scheduleId}
              runs={shown.runs}
              initialFilter={shown.filter}
              limit={shown.limit}
              skip={shown.skip}
              dictionary={dictionary}
              zone={state.preferences.zone}
            />
          </>
        )
        : (
          <div class="empty">
            <p>This schedule has never run: its history is empty.</p>
          </div>
        ))}
    </>
  );
});

/** E-mail addresses stay on the server: what an island gets stands in the page's source. */
function withoutRecipients({ recipients: _recipients, ...row }: ReportRun): RunRow {
  return row;
}

/** The interface does not say in which order a history comes. */
function newestFirst(runs: readonly ReportRun[]): readonly ReportRun[] {
  return runs.toSorted((a, b) =>
    Date.parse(b.startTime ?? "") - Date.parse(a.startTime ?? "") || b.id - a.id
  );
}
