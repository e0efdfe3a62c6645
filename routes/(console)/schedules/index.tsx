import { Empty } from "../../../components/ui/empty.tsx";
import { PageError, PageHeader } from "../../../components/page/page_header.tsx";
import { scheduleHref } from "../../../components/runs/run_links.ts";
import { WatchBasis } from "../../../components/runs/overview/watch_basis.tsx";
import { WatchTable } from "../../../components/runs/overview/watch_table.tsx";
import { AutoRefresh } from "../../../islands/AutoRefresh.tsx";
import { formatCount, formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { readScheduleId } from "../../../server/http/schedule_id.ts";
import { MAX_WATCHED_SCHEDULES } from "../../../server/schedules/preferences.ts";
import { readRecentSchedules } from "../../../server/schedules/recent_schedules.ts";
import { parseScheduleIds } from "../../../server/schedules/watch_list.ts";
import { hasSample } from "../../../server/store/sample/has_sample.ts";
import { pageError } from "../../_errors.ts";
import { AddForm, IdErrors, OpenForm, RecentSchedules } from "./_watch_forms.tsx";
import { loadWatchList } from "./_watch_list.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const { preferences, services } = ctx.state;
    const { store } = services;
    const typed = searchParams.get("id")?.trim() ?? null;
    const scheduleId = readScheduleId(typed ?? "");
    if (scheduleId !== null) return ctx.redirect(scheduleHref(scheduleId), 303);
    const shared = searchParams.has("ids") ? parseScheduleIds(searchParams.get("ids")!) : null;
    const chosen = shared || !ctx.state.isWatchShared
      ? null
      : await services.records!.overview.list({ limit: MAX_WATCHED_SCHEDULES, offset: 0 });
    const ids = shared?.ids ?? chosen?.items.map(({ scheduleId }) => scheduleId) ??
      preferences.watch;
    const { schedules, basis, thrown } = await loadWatchList(ctx, ids);
    const { error, ...answer } = thrown === undefined
      ? { error: null, status: 200 }
      : pageError(thrown, ctx);
    return {
      data: {
        typed,
        typedIds: searchParams.get("add"),
        shared,
        recent: readRecentSchedules(ctx.req.headers),
        seconds: wholeNumber(searchParams.get("refresh") ?? "") ?? 0,
        schedules,
        total: chosen?.total ?? ids.length,
        basis,
        isSample: store !== null && await hasSample(store),
        error,
      },
      ...answer,
      ...(typed !== null || (shared && ids.length === 0) ? { status: 400 } : {}),
    };
  },
});

/** What is refreshed. */
const WATCHED = ["watched"];

export default page(
  (
    {
      data: { typed, typedIds, shared, recent, seconds, schedules, total, basis, isSample, error },
      state,
    },
  ) => {
    const { statuses, watch, zone } = state.preferences;
    const { isWatchShared } = state;
    const ids = schedules.map(({ scheduleId }) => scheduleId).sort((a, b) => a - b).join(",");
    return (
      <>
        <PageHeader title="Schedules" />
        <OpenForm typed={typed} isSample={isSample} />
        {recent.length > 0 && <RecentSchedules ids={recent} />}
        <section aria-labelledby="watch-list">
          <h2 id="watch-list">{shared ? "Shared watch list" : "Watch list"}</h2>
          <form id="watch-change" method="post" action="/schedules/watch">
            <input type="hidden" name="next" value="/schedules" />
          </form>
          {shared && <IdErrors {...shared} limit={`a link has at most ${MAX_WATCHED_SCHEDULES}`} />}
          <div id="watched">
            {error && <PageError error={error} />}
            {schedules.length > 0
              ? (
                <>
                  <p class="help">
                    {schedules.length < total
                      ? (
                        <>
                          The {schedules.length} most urgent of {formatCount(total)} schedules. The
                          {" "}
                          <a href="/">overview</a> has all of them.
                        </>
                      )
                      : `${formatCountOf(total, "schedule", "schedules")}, most urgent first.`}{" "}
                    <WatchBasis {...basis} />
                  </p>
                  <WatchTable schedules={schedules} dictionary={statuses} isOwn={!shared} />
                </>
              )
              : (
                <Empty>
                  {shared
                    ? (
                      <>
                        This link names no schedules. <a href="/schedules">My watch list</a>
                      </>
                    )
                    : "You are not watching any schedules yet."}
                </Empty>
              )}
          </div>
          {schedules.length > 0 && (
            <div class="watch-actions">
              <AutoRefresh parts={WATCHED} seconds={seconds} zone={zone} />
              {shared
                ? (
                  <>
                    <button type="submit" form="watch-change" name="add" value={ids}>
                      Add to my watch list
                    </button>
                    <a href="/schedules">My watch list</a>
                  </>
                )
                : <a href={`/schedules?ids=${ids}`}>Link to this list</a>}
            </div>
          )}
          {!shared && <AddForm watch={watch} typed={typedIds} isShared={isWatchShared} />}
          <p>
            <a href="/schedules/statuses">Status meanings</a>
          </p>
        </section>
      </>
    );
  },
);
