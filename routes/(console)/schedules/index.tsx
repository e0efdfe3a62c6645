import { Head } from "fresh/runtime";
import { PageTrouble } from "../../../components/page/page_top.tsx";
import { formatCountOf } from "../../../components/ui/format.ts";
import { attentionTo, NOT_LOADED_RANK } from "../../../components/runs/attention.ts";
import { judge } from "../../../lib/runs/judgement.ts";
import { type WatchedSchedule, WatchTable } from "../../../components/runs/watch_table.tsx";
import { AutoRefresh } from "../../../islands/AutoRefresh.tsx";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import { loadWatched, type Watched } from "../../../server/schedules/watch_loader.ts";
import { type ParsedScheduleIds, parseScheduleIds } from "../../../server/schedules/watch_list.ts";
import { problemOf } from "../../../server/http/problem.ts";
import { MAX_WATCHED_SCHEDULES } from "../../../server/schedules/preferences.ts";
import { readRecentSchedules } from "../../../server/schedules/recent_schedules.ts";
import { wholeNumber } from "../../../server/config/whole_number.ts";
import { readScheduleId } from "../../../server/http/schedule_id.ts";
import { pageTrouble } from "../../_trouble.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const { preferences, services, backend } = ctx.state;
    const typed = searchParams.get("id")?.trim() ?? null;
    const scheduleId = readScheduleId(typed ?? "");
    if (scheduleId !== null) return ctx.redirect(`/schedules/${scheduleId}`, 303);
    const shared = searchParams.has("ids") ? parseScheduleIds(searchParams.get("ids")!) : null;
    const ids = shared?.ids ?? preferences.watch;
    const watched = await loadWatched(backend, ids, {
      signal: ctx.req.signal,
      runtime: services.runtime,
    });
    const troubleOf = (error: unknown) => pageTrouble(error, ctx.req, ctx.state);
    const judged = watched.map((schedule) =>
      judgeWatched(schedule, preferences.statuses, (error) => troubleOf(error).trouble)
    );
    const fault = faultOfAll(watched);
    const { trouble, ...answer } = fault === undefined
      ? { trouble: null, status: 200 }
      : troubleOf(fault);
    return {
      data: {
        typed,
        shared,
        recent: readRecentSchedules(ctx.req.headers),
        seconds: wholeNumber(searchParams.get("refresh") ?? "") ?? 0,
        schedules: judged.toSorted((a, b) => b.rank - a.rank),
        embedded: services.kind === "embedded",
        trouble,
      },
      ...answer,
      ...(typed === null ? {} : { status: 400 }),
    };
  },
});

/** What keeps every schedule from being shown, where it is the service and not one of them. */
function faultOfAll(watched: readonly Watched[]): unknown {
  const faults = watched.map((schedule) => "error" in schedule ? schedule.error : undefined);
  const statuses = faults.map((fault) => fault === undefined ? 200 : problemOf(fault).status);
  const refused = faults[statuses.indexOf(401)];
  if (faults.length === 0) return undefined;
  return refused ??
    (statuses.every((status) => status >= 400 && status !== 404) ? faults[0] : undefined);
}

function judgeWatched(
  watched: Watched,
  dictionary: StatusDictionary,
  troubleOf: (error: unknown) => { readonly title: string; readonly detail: string },
): WatchedSchedule {
  const { scheduleId } = watched;
  if ("error" in watched) {
    const { title, detail } = troubleOf(watched.error);
    return { scheduleId, rank: NOT_LOADED_RANK, why: `${title}. ${detail}` };
  }
  const now = Date.now();
  const judgement = judge(watched.loaded, { dictionary, now });
  const attention = attentionTo(judgement, watched.loaded, now);
  const { runs } = watched.loaded;
  return { scheduleId, rank: attention.rank, runs, judgement, attention };
}

export default page(
  ({ data: { typed, shared, recent, seconds, schedules, embedded, trouble }, state }) => {
    const { statuses, watch, zone } = state.preferences;
    const ids = schedules.map(({ scheduleId }) => scheduleId).sort((a, b) => a - b).join(",");
    return (
      <>
        <Head>
          <title>Report schedules · Docket</title>
        </Head>
        <h1>Report schedules</h1>
        <OpenForm typed={typed} embedded={embedded} />
        {recent.length > 0 && <VisitedLately ids={recent} />}
        <section aria-labelledby="watch-list">
          <h2 id="watch-list">{shared ? "A shared watch list" : "Watch list"}</h2>
          <form id="watch-change" method="post" action="/schedules/watch">
            <input type="hidden" name="next" value="/schedules" />
          </form>
          {shared && <SharedIssues shared={shared} />}
          <div id="watched">
            {trouble && <PageTrouble trouble={trouble} />}
            {schedules.length > 0
              ? (
                <>
                  <p class="help">
                    {formatCountOf(schedules.length, "schedule", "schedules")}, those that need
                    attention first, each judged by its latest runs
                  </p>
                  <WatchTable schedules={schedules} dictionary={statuses} isOwn={!shared} />
                </>
              )
              : (
                <div class="empty">
                  <p>No schedule is watched yet. Add the ids of those that matter to you.</p>
                </div>
              )}
          </div>
          {schedules.length > 0 && (
            <div class="watch-actions">
              <AutoRefresh part="watched" seconds={seconds} zone={zone} />
              {shared
                ? (
                  <button type="submit" form="watch-change" name="add" value={ids}>
                    Add these to my watch list
                  </button>
                )
                : <a href={`/schedules?ids=${ids}`}>Link to share this list</a>}
              {shared && <a href="/schedules">My watch list</a>}
            </div>
          )}
          {!shared && <AddForm count={watch.length} embedded={embedded} />}
          <p>
            <a href="/schedules/statuses">What the statuses mean</a>
          </p>
        </section>
      </>
    );
  },
);

function OpenForm({ typed, embedded }: {
  readonly typed: string | null;
  readonly embedded: boolean;
}) {
  return (
    <form method="get" action="/schedules" class="card">
      <label for="schedule-id">Schedule id</label>
      <div class="row">
        <input
          id="schedule-id"
          name="id"
          inputmode="numeric"
          autocomplete="off"
          required
          value={typed ?? ""}
          aria-invalid={typed === null ? undefined : "true"}
          aria-describedby="schedule-help"
        />
        <button type="submit">Show its history</button>
      </div>
      <p
        id="schedule-help"
        class={typed === null ? "help" : "notice bad"}
        role={typed === null ? undefined : "alert"}
      >
        {typed === null
          ? "The interface lists no schedules: the id comes from your platform, where the schedule was made."
          : "A schedule id is a whole number, such as 101."}
        {embedded && typed === null && " The sample data has the schedules 101 to 112."}
      </p>
    </form>
  );
}

function VisitedLately({ ids }: { readonly ids: readonly number[] }) {
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">Visited lately</h2>
      <ul class="chips">
        {ids.map((id) => (
          <li key={id}>
            <a class="chip" href={`/schedules/${id}`}>{id}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SharedIssues({ shared: { invalid, dropped } }: { readonly shared: ParsedScheduleIds }) {
  if (invalid.length === 0 && dropped === 0) return null;
  return (
    <div class="notice bad" role="alert">
      <p>
        {invalid.length > 0 && `Not schedule ids: ${invalid.join(", ")}. `}
        {dropped > 0 &&
          `${formatCountOf(dropped, "id is", "ids are")} too many: ` +
            `a list has at most ${MAX_WATCHED_SCHEDULES}.`}
      </p>
    </div>
  );
}

function AddForm({ count, embedded }: { readonly count: number; readonly embedded: boolean }) {
  return (
    <form method="post" action="/schedules/watch" class="watch-add">
      <input type="hidden" name="next" value="/schedules" />
      <label for="watch-add">Ids to add, with commas between</label>
      <div class="row">
        <input
          id="watch-add"
          name="add"
          autocomplete="off"
          required
          placeholder={embedded ? "101, 102, 103" : undefined}
        />
        <button type="submit">Watch</button>
      </div>
      <p class="help">
        {count} of {MAX_WATCHED_SCHEDULES} are on the list, which is kept in this browser.
      </p>
    </form>
  );
}
