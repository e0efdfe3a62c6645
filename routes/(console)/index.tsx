import { FormKey } from "../../components/ui/form_key.tsx";
import { ForActing } from "../../components/ui/reader.tsx";
import { PageTitle } from "../../components/page/page_header.tsx";
import { DayLine } from "../../components/runs/overview/day_line.tsx";
import {
  daySentence,
  type DaySummary,
  laterToday,
  outlook,
  type SentencePart,
  troubleParts,
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
    if (!records) return { data: { ...common, watched: null } };
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
      },
      ...(issues.length > 0 && { status: 400 }),
    };
  },
});

export default page(({ data, state }) => {
  const { now, filter, offset, issues, watched } = data;
  const { zone } = state.preferences;
  return (
    <div class="today">
      <PageTitle title="Today" />
      {!watched?.count && <h1>Today</h1>}
      <NotWatched services={state.services}>
        <a href="/schedules">Schedules</a> are judged whenever you open them.
      </NotWatched>
      {watched?.count === 0 && <FirstWatch />}
      {watched && watched.count > 0 && (
        <>
          <div id="today">
            <div class="eyebrow">
              <p>
                {dateWords(now, zone)} <ZoneName />
              </p>
              {watched.polled !== null && (
                <p>
                  checked <When at={watched.polled} now={now} hasDistance />
                </p>
              )}
              <ForActing>
                <form method="post" action="/schedules/check-all">
                  <FormKey />
                  <input type="hidden" name="next" value={overviewHref(filter, offset)} />
                  <button type="submit" class="quiet">Check now</button>
                </form>
              </ForActing>
            </div>
            <Lede
              summary={watched.summary}
              zone={zone}
              unread={watched.unread}
              count={watched.count}
              needed={watched.attention.needed.total}
            />
            {watched.check && <CheckResult check={watched.check} now={now} />}
            {watched.unread < watched.count && <DayLine summary={watched.summary} />}
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

/** The headline says what is wrong now; the line below it, how the day goes. */
function Lede({ summary, zone, unread, count, needed }: {
  readonly summary: DaySummary;
  readonly zone: string;
  /** How many of the watched schedules were not read yet. */
  readonly unread: number;
  readonly count: number;
  /** How many open incidents need somebody. */
  readonly needed: number;
}) {
  if (unread === count) {
    const schedules = formatCountOf(count, "schedule", "schedules");
    return <h1 data-announced>Docket is reading {schedules} for the first time.</h1>;
  }
  const clock = (at: number) => formatMoment(at, zone).slice(11);
  const troubles = troubleParts(summary);
  const sentence = daySentence(summary, clock).map(partOf);
  const open = `${formatCountOf(needed, "incident needs", "incidents need")} attention.`;
  // Without trouble the day is the headline, unless something is open or was not read yet.
  const isCalm = troubles.length === 0 && needed === 0 && unread === 0;
  return (
    <div data-announced>
      <h1>
        {isCalm
          ? sentence
          : troubles.length > 0
          ? listOf(troubles)
          : needed > 0
          ? open
          : <>Nothing that was read so far is wrong.</>}
      </h1>
      <p class="day-words">
        {!isCalm && <>{sentence}{" "}</>}
        {outlook(summary, clock)}
        {unread > 0 &&
          ` ${formatCountOf(unread, "schedule was", "schedules were")} not read yet.`}
      </p>
    </div>
  );
}

/** Parts as one sentence, such as `A failed, B is overdue, and 2 reports went outside.` */
function listOf(parts: readonly SentencePart[]) {
  return parts.map((part, at) => [
    at === 0 ? "" : at < parts.length - 1 ? ", " : parts.length > 2 ? ", and " : " and ",
    partOf(part, at),
    at === parts.length - 1 && ".",
  ]);
}

function partOf({ text, href, isBad }: SentencePart, at: number) {
  return href === undefined
    ? text
    : <a key={at} href={href} class={isBad ? "bad" : undefined}>{text}</a>;
}

function FirstWatch() {
  return (
    <div class="empty">
      <p>
        No schedules are watched yet. Add some, and Docket tells you when something is wrong.
      </p>
      <ForActing>
        <AddForm next="/" />
      </ForActing>
    </div>
  );
}
