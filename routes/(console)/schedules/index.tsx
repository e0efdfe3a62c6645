import { Empty } from "../../../components/ui/empty.tsx";
import { PageError, PageHeader } from "../../../components/page/page_header.tsx";
import {
  attentionTo,
  NOT_LOADED_RANK,
  recencyOf,
  UNKNOWN_ID_RANK,
} from "../../../components/runs/overview/attention.ts";
import { scheduleHref } from "../../../components/runs/run_links.ts";
import { WatchBasis } from "../../../components/runs/overview/watch_basis.tsx";
import {
  type WatchedSchedule,
  WatchTable,
} from "../../../components/runs/overview/watch_table.tsx";
import { AutoRefresh } from "../../../islands/AutoRefresh.tsx";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import { wholeNumber } from "../../../server/config/whole_number.ts";
import { problemOf } from "../../../server/http/problem.ts";
import { readScheduleId } from "../../../server/http/schedule_id.ts";
import { shownVerdict } from "../../../server/observer/shown_verdict.ts";
import { MAX_WATCHED_SCHEDULES } from "../../../server/schedules/preferences.ts";
import { readRecentSchedules } from "../../../server/schedules/recent_schedules.ts";
import {
  type ParsedScheduleIds,
  parseScheduleIds,
  RANGE_RULE,
} from "../../../server/schedules/watch_list.ts";
import { hasSample } from "../../../server/store/sample/has_sample.ts";
import {
  type JudgedWatch,
  judgeWatched,
  loadWatched,
  type Watched,
} from "../../../server/schedules/watch_loader.ts";
import type { Watch } from "../../../server/store/observer/types.ts";
import { watchName } from "../../../server/store/observer/watches.ts";
import { pageError } from "../../_errors.ts";
import { whyNotLooked } from "../incidents/_incidents.ts";
import { judgingOf, loadWatches, titleOf } from "./_runs.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const { preferences, services, backend } = ctx.state;
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
    const [watched, watches] = await Promise.all([
      loadWatched(backend, ids, {
        signal: ctx.req.signal,
        zone: services.settings.serviceZone,
        runtime: services.runtime,
        keptRuns: services.keptRuns,
        ...(store && { versionOf: (scheduleId: number) => store.runsVersion(scheduleId) }),
      }),
      loadWatches(ctx.state, ids),
    ]);
    const judging = judgingOf(ctx);
    const now = Date.now();
    const judged = await judgeWatched(watched, (scheduleId) => {
      const { plan = null, pauses = [] } = watches.get(scheduleId)?.watch ?? {};
      return { ...judging, now, plan, pauses };
    }, ctx.req.signal);
    const isLooked = whyNotLooked(services) === null;
    const stored: number[] = [];
    let own = 0;
    const shown = judged.map((each) => {
      const last = watches.get(each.scheduleId)?.last;
      if (!("verdict" in each) || !last || !isLooked) return each;
      const { statuses } = preferences;
      const { verdict, basis } = shownVerdict(each.verdict, last, {
        now,
        statuses,
        allReadTheSame: store !== null,
      });
      if (basis === "stored") stored.push(last.kept.judged);
      else own++;
      return { ...each, verdict };
    });
    const schedules = shown.map((each) =>
      rowOf(each, watches.get(each.scheduleId)?.watch, (error) => pageError(error, ctx).error)
    );
    const thrown = commonError(watched);
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
        schedules: schedules.toSorted(mostUrgentFirst),
        total: chosen?.total ?? ids.length,
        basis: { oldest: stored.length > 0 ? Math.min(now, ...stored) : null, own, now },
        isSample: store !== null && await hasSample(store),
        error,
      },
      ...answer,
      ...(typed !== null || (shared && ids.length === 0) ? { status: 400 } : {}),
    };
  },
});

/** The error that keeps every schedule from loading, such as one of the service. */
function commonError(watched: readonly Watched[]): unknown {
  const errors = watched.map((schedule) => "error" in schedule ? schedule.error : undefined);
  const statuses = errors.map((error) => error === undefined ? 200 : problemOf(error).status);
  const isCommon = statuses.every((status) => status >= 400 && status !== 404);
  return errors[statuses.indexOf(401)] ?? (isCommon ? errors[0] : undefined);
}

/** Most severe first; among those, schedules that are down first, then the newest. */
function mostUrgentFirst(a: WatchedSchedule, b: WatchedSchedule): number {
  const isDown = (schedule: WatchedSchedule) =>
    Number("verdict" in schedule && schedule.verdict.state === "down");
  const recency = (schedule: WatchedSchedule) =>
    "verdict" in schedule ? recencyOf(schedule.verdict) : 0;
  return b.rank - a.rank || isDown(b) - isDown(a) || recency(b) - recency(a);
}

function rowOf(
  judged: JudgedWatch,
  watch: Watch | undefined,
  messageOf: (error: unknown) => { readonly title: string; readonly detail: string },
): WatchedSchedule {
  const { scheduleId } = judged;
  const called = watch ? watchName(watch) : "";
  if ("error" in judged) {
    const { title, detail } = messageOf(judged.error);
    const isUnknownId = problemOf(judged.error).status === 404;
    // The row itself says that the id is unknown.
    return {
      scheduleId,
      name: called,
      rank: isUnknownId ? UNKNOWN_ID_RANK : NOT_LOADED_RANK,
      reason: isUnknownId ? detail : `${title}. ${detail}`,
      isUnknownId,
    };
  }
  const { loaded, verdict } = judged;
  const attention = attentionTo(verdict);
  const name = called || titleOf(loaded.runs);
  return { scheduleId, name, rank: attention.rank, runs: loaded.runs, verdict, attention };
}

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
              <AutoRefresh part="watched" seconds={seconds} zone={zone} />
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

function OpenForm({ typed, isSample }: {
  readonly typed: string | null;
  readonly isSample: boolean;
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
        <button type="submit">Show history</button>
      </div>
      {typed === null
        ? (
          <p id="schedule-help" class="help">
            The service can't list its schedules. Look up the id where the schedule was created.
            {isSample && " The sample data has schedules 101 to 112."}
          </p>
        )
        : (
          <p id="schedule-help" class="notice bad" role="alert">
            A schedule id is a whole number, such as 101.
          </p>
        )}
    </form>
  );
}

function RecentSchedules({ ids }: { readonly ids: readonly number[] }) {
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">Recent</h2>
      <ul class="chips">
        {ids.map((id) => (
          <li key={id}>
            <a class="chip" href={scheduleHref(id)}>{id}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The parts of a list of ids that can't be used. */
function IdErrors({ invalid, dropped, limit }: Pick<ParsedScheduleIds, "invalid" | "dropped"> & {
  /** Why some were left out. */
  readonly limit: string;
}) {
  if (invalid.length === 0 && dropped === 0) return null;
  return (
    <div class="notice bad" role="alert">
      <p>
        {invalid.length > 0 && `Not schedule ids: ${invalid.join(", ")}. `}
        {invalid.some((part) => /\d[-–]/.test(part)) && `${RANGE_RULE} `}
        {dropped > 0 &&
          `${formatCountOf(dropped, "schedule was", "schedules were")} left out: ` +
            `${limit}.`}
      </p>
    </div>
  );
}

function AddForm({ watch, typed, isShared }: {
  readonly watch: readonly number[];
  /** What was typed, if not all of it was added. */
  readonly typed: string | null;
  /** Whether everybody shares the list, or it is only in this browser. */
  readonly isShared: boolean;
}) {
  const { ids, invalid, dropped } = parseScheduleIds(typed ?? "");
  // The list in the browser may be full; the one that everybody shares takes all that was read.
  const missing = isShared ? 0 : ids.filter((id) => !watch.includes(id)).length;
  return (
    <form method="post" action="/schedules/watch" class="watch-add">
      <input type="hidden" name="next" value="/schedules" />
      <IdErrors
        invalid={invalid}
        dropped={dropped + missing}
        limit={isShared
          ? `at most ${MAX_WATCHED_SCHEDULES} can be added at a time`
          : `a watch list has at most ${MAX_WATCHED_SCHEDULES}`}
      />
      <label for="watch-add">Schedules to watch</label>
      <div class="row">
        <input
          id="watch-add"
          name="add"
          autocomplete="off"
          required
          value={invalid.join(", ")}
          placeholder="101, 105-112"
          aria-describedby="watch-help"
        />
        <button type="submit">Watch</button>
      </div>
      <p id="watch-help" class="help">
        Ids and ranges, separated by commas. {isShared
          ? "Everybody sees the same list, and Docket watches it all the time."
          : `The list is kept in this browser; it has ${watch.length} of at most ${MAX_WATCHED_SCHEDULES}.`}
      </p>
    </form>
  );
}
