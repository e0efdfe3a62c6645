import { ForActing } from "../../components/ui/reader.tsx";
import { PageHeader } from "../../components/page/page_header.tsx";
import { DayLine } from "../../components/runs/overview/day_line.tsx";
import {
  daySentence,
  type DaySummary,
  laterToday,
  problemParts,
  type SentencePart,
} from "../../components/runs/overview/day_summary.ts";
import { NeedsSomebody } from "../../components/runs/overview/needs_somebody.tsx";
import {
  OverviewFilterLine,
  overviewHref,
} from "../../components/runs/overview/overview_filter.tsx";
import { ScheduleTable } from "../../components/runs/overview/schedule_table.tsx";
import { LaterToday, WhoIsNotified } from "../../components/runs/overview/today_side.tsx";
import { Empty } from "../../components/ui/data_table.tsx";
import { ErrorNotice } from "../../components/ui/error_notice.tsx";
import { When, ZoneName } from "../../components/ui/moment.tsx";
import { Pager } from "../../components/ui/pager.tsx";
import { formatMoment } from "../../components/ui/zone.ts";
import { AutoRefresh } from "../../islands/AutoRefresh.tsx";
import { formatCount, formatCountOf, wholeNumber } from "../../lib/format.ts";
import { HOUR } from "../../lib/time_units.ts";
import { readPersonName } from "../../server/http/cookies.ts";
import { BEHIND } from "../../server/observer/behind.ts";
import type { ObserverRecords } from "../../server/store/records/observer_records.ts";
import { SAMPLE } from "../../server/store/sample/fill.ts";
import { invalidFilter } from "./_filter.ts";
import { NotWatched } from "./_not_watched.tsx";
import { readOverviewFilter, scheduleRows } from "./_schedule_rows.ts";
import { loadAttention, loadDay, loadOutlets, schedulesOfDay } from "./_today.ts";
import { AddForm } from "./schedules/_watch_forms.tsx";
import { handler, page } from "./$index.ts";

const PAGE = 30;

export const handlers = handler({
  async GET(ctx) {
    const { services, preferences: { zone } } = ctx.state;
    const now = Date.now();
    const { filter, offset, issues } = readOverviewFilter(ctx.url.searchParams);
    const { records } = services;
    const common = { now, filter, offset, issues };
    if (!records) return { data: { ...common, watched: null, isSample: false } };
    const moment = { now, zone };
    const { schedules, ...day } = await loadDay(records, moment);
    const ids = schedulesOfDay(day.summary, filter);
    const [{ items, total }, attention, outlets, ofService] = await Promise.all([
      records.overview.list({ ...filter, ...(ids && { ids }), limit: PAGE, offset }),
      loadAttention(records, schedules, moment),
      loadOutlets(services, records),
      records.incidents.open(null),
    ]);
    const isBehind = ofService.some(({ code }) => code === BEHIND);
    const rows = await scheduleRows(records, items, moment);
    const person = readPersonName(ctx.req.headers);
    const at = wholeNumber(ctx.url.searchParams.get("checked") ?? "") ?? 0;
    const isChecked = at <= now && now - at < HOUR;
    const check = isChecked ? { at, ...await records.polls.sinceCheck(at) } : null;
    return {
      data: {
        ...common,
        watched: {
          ...day,
          count: schedules.length,
          isBehind,
          person,
          rows,
          position: { start: offset, count: rows.length, limit: PAGE, total },
          attention,
          outlets,
          check,
        },
        isSample: schedules.length === 0 &&
          await services.store?.metadata(SAMPLE) !== undefined,
      },
      ...(issues.length > 0 && { status: 400 }),
    };
  },
});

export default page(({ data, state }) => {
  const { now, filter, offset, issues, watched, isSample } = data;
  const { zone } = state.preferences;
  return (
    <div class="today">
      <PageHeader title="Today" />
      <NotWatched services={state.services}>
        <a href="/schedules">Schedules</a> are judged whenever you open them.
      </NotWatched>
      {watched?.count === 0 && <FirstWatch isSample={isSample} />}
      {watched && watched.count > 0 && (
        <>
          <div id="today">
            <ForActing>
              <form method="post" action="/schedules/check-all" class="check-now">
                <input type="hidden" name="next" value={overviewHref(filter, offset)} />
                <button type="submit" class="quiet">Check now</button>
              </form>
            </ForActing>
            <p class="help when">
              {dateWords(now, zone)} <ZoneName />
              {watched.polled !== null &&
                [" · checked ", <When key="checked" at={watched.polled} now={now} hasDistance />]}
              {watched.unread > 0 && watched.unread < watched.count &&
                ` · ${
                  formatCountOf(watched.unread, "schedule was", "schedules were")
                } not read yet`}
            </p>
            {watched.check && <CheckResult check={watched.check} now={now} />}
            {watched.unread === watched.count
              ? (
                <p class="answer">
                  Docket is reading {formatCountOf(watched.count, "schedule", "schedules")}{" "}
                  for the first time.
                </p>
              )
              : (
                <>
                  <Answer summary={watched.summary} zone={zone} />
                  <DayLine summary={watched.summary} />
                </>
              )}
          </div>
          <div class="beside">
            <div id="attention">
              {watched.isBehind && (
                <p class="notice bad" role="alert">
                  The service answers too slowly for this many schedules, so this page may be out of
                  date.
                </p>
              )}
              <NeedsSomebody
                {...watched.attention}
                unread={watched.unread === 0
                  ? "none"
                  : watched.unread === watched.count
                  ? "all"
                  : "some"}
                person={watched.person}
                now={now}
                next={overviewHref(filter, offset)}
              />
            </div>
            <div id="side">
              <LaterToday later={laterToday(watched.summary)} now={now} />
              <WhoIsNotified
                outlets={watched.outlets.shown}
                others={watched.outlets.others}
                now={now}
              />
            </div>
          </div>
          <section>
            <h2 id="schedules">Schedules</h2>
            <div id="filter">
              <OverviewFilterLine counts={watched.counts} filter={filter} />
            </div>
            <div id="table">
              {issues.length > 0
                ? <ErrorNotice error={invalidFilter(issues)} />
                : watched.rows.length > 0
                ? <ScheduleTable rows={watched.rows} now={now} />
                : (
                  <Empty>
                    {watched.position.total > 0
                      ? "This page is past the last schedule."
                      : "No watched schedules match."}
                  </Empty>
                )}
              {issues.length === 0 && (
                <Pager
                  position={watched.position}
                  href={(start) => overviewHref(filter, start)}
                  label="Pages of schedules"
                />
              )}
            </div>
            <div class="watch-actions">
              <AutoRefresh parts={["today", "attention", "side", "filter", "table"]} zone={zone} />
            </div>
          </section>
        </>
      )}
    </div>
  );
});

function dateWords(now: number, zone: string): string {
  const options = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
  const day = new Date(now).toLocaleDateString("en-GB", { ...options, timeZone: zone });
  return `${day}, ${formatMoment(now, zone).slice(11)}`;
}

function CheckResult({ check: { at, all, waiting, failing, opened, ended }, now }: {
  readonly check: Awaited<ReturnType<ObserverRecords["polls"]["sinceCheck"]>> & {
    readonly at: number;
  };
  readonly now: number;
}) {
  const changes = [
    opened > 0 && formatCountOf(opened, "new incident", "new incidents"),
    ended > 0 && formatCountOf(ended, "incident ended", "incidents ended"),
    failing > 0 && `${formatCountOf(failing, "schedule", "schedules")} can't be read`,
  ].filter((each) => each !== false);
  return (
    <p
      class={`notice ${waiting === 0 ? "done" : ""}`}
      role="status"
      data-announced
      data-busy={waiting > 0 || undefined}
    >
      {waiting > 0
        ? `Checking: ${formatCount(all - waiting)} of ${formatCount(all)} schedules done.`
        : (
          <>
            Checked {formatCountOf(all, "schedule", "schedules")} at <When at={at} now={now} />:
            {" "}
            {changes.length > 0 ? changes.join(", ") : "nothing new"}.
          </>
        )}
    </p>
  );
}

function Answer({ summary, zone }: { readonly summary: DaySummary; readonly zone: string }) {
  const problems = problemParts(summary);
  return (
    <p class="answer" data-announced>
      {daySentence(summary, (at) => formatMoment(at, zone).slice(11)).map(partOf)}
      {problems.length > 0 && " "}
      {problems.map((part, at) => [
        at === 0 ? "" : at < problems.length - 1 ? ", " : problems.length > 2 ? ", and " : " and ",
        partOf(part, at),
      ])}
      {problems.length > 0 && "."}
    </p>
  );
}

function partOf({ text, href, isBad }: SentencePart, at: number) {
  return href === undefined
    ? text
    : <a key={at} href={href} class={isBad ? "bad" : undefined}>{text}</a>;
}

function FirstWatch({ isSample }: { readonly isSample: boolean }) {
  return (
    <div class="empty">
      <p>
        No schedules are watched yet. Add some, and Docket tells you when something is wrong.
      </p>
      <ForActing>
        <AddForm next="/" />
        {isSample && (
          <form method="post" action="/schedules/watch">
            <input type="hidden" name="next" value="/" />
            <p>
              In the sample data, each schedule from 101 to 112 tells a different story.{" "}
              <button type="submit" name="add" value="101-112">Watch 101 to 112</button>
            </p>
          </form>
        )}
      </ForActing>
    </div>
  );
}
