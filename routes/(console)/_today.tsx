/** The parts of the page Today. */
import { formatMoment } from "../../lib/moments.ts";
import { ChannelList, Notifications } from "../../components/runs/owners/channel_list.tsx";
import { DaySentence, outlook, troubleParts } from "../../components/runs/overview/day_words.tsx";
import { SilenceNote } from "../../components/runs/incidents/incident_words.tsx";
import { incidentHref, scheduleHref } from "../../components/runs/run_links.tsx";
import { ActingAs, ActionForm } from "../../components/ui/form.tsx";
import { Ago, formatAgo, useMoment } from "../../components/ui/moment.tsx";
import { Section, separated } from "../../components/ui/section.tsx";
import { formatCount, formatCountOf } from "../../lib/format.ts";
import { laterToday } from "../../lib/judgement/day_summary.ts";
import type { loadToday } from "../../server/pages/today.ts";
import { GroupRow, IncidentRow } from "./incidents/_incident_rows.tsx";

type Watched = NonNullable<Awaited<ReturnType<typeof loadToday>>["watched"]>;

/** The day, and when the schedules were checked. */
export function TodayDate({ polled }: Pick<Watched, "polled">) {
  const { now, zone } = useMoment();
  const options = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
  const day = new Date(now).toLocaleDateString("en-GB", { ...options, timeZone: zone });
  return (
    <div class="line help eyebrow">
      <p>
        {day.replace(",", "")}, {formatMoment(now, zone).slice(11)}
      </p>
      {polled !== null && (
        <p class="live">
          checked <Ago at={polled} />
        </p>
      )}
      <ActionForm action="/schedules/watch">
        <button type="submit" class="quiet" name="action" value="check-all">Check now</button>
      </ActionForm>
    </div>
  );
}

/** The headline says what is wrong now; the line below it, how the day goes. */
export function Lede({ summary, unread, unreadable, count, needed }:
  & Pick<Watched, "summary" | "unread" | "unreadable" | "count">
  & { readonly needed: number }) {
  const { zone } = useMoment();
  const schedules = formatCountOf(count, "schedule", "schedules");
  if (unreadable === count) return <h1 data-announced>Docket can't read {schedules}.</h1>;
  if (unread + unreadable === count) {
    return <h1 data-announced>Docket is reading {schedules} for the first time.</h1>;
  }
  const clock = (at: number) => formatMoment(at, zone).slice(11);
  const troubles = troubleParts(summary);
  const sentence = <DaySentence {...{ summary, clock }} />;
  const open = `${formatCountOf(needed, "incident needs", "incidents need")} attention.`;
  // Without trouble the day is the headline, unless something is open or was not read yet.
  const isCalm = troubles.length === 0 && needed === 0 && unread + unreadable === 0;
  return (
    <div data-announced>
      <h1>
        {isCalm
          ? sentence
          : troubles.length > 0
          ? joinTroubles(troubles)
          : needed > 0
          ? open
          : <>Nothing that was read so far is wrong.</>}
      </h1>
      <p class="day-words">
        {!isCalm && <>{sentence}{" "}</>}
        {outlook(summary, clock)}
        {unread > 0 &&
          ` ${formatCountOf(unread, "schedule was", "schedules were")} not read yet.`}
        {unreadable > 0 && ` ${formatCountOf(unreadable, "schedule", "schedules")} can't be read.`}
      </p>
    </div>
  );
}

/** Parts as one sentence, such as `A failed, B is overdue, and 2 reports went outside.` */
function joinTroubles(parts: ReturnType<typeof troubleParts>) {
  return parts.map(({ text, wrong, href }, at) => [
    at === 0 ? "" : at < parts.length - 1 ? ", " : parts.length > 2 ? ", and " : " and ",
    <a key={at} href={href}>
      {text} <b class="bad">{wrong}</b>
    </a>,
    at === parts.length - 1 && ".",
  ]);
}

const CALM = {
  all: "Nothing was read yet.",
  some: "Nothing that was read so far needs attention.",
  none: "Nothing needs attention now.",
} as const;

/** Open incidents with their actions, the most urgent first, and what else is not as usual. */
export function NeedsAttention(
  { needed, ownedByLeavers, acknowledged, silenced, unjudged, now }:
    & Watched["attention"]
    & Pick<Watched, "unjudged">
    & { readonly now: number },
) {
  const shown = needed.items.reduce((sum, { group }) => sum + (group?.count ?? 1), 0);
  const unnamed = ownedByLeavers.total - ownedByLeavers.items.length;
  return (
    <section aria-labelledby="needs">
      <div class="box group">
        <div class="line apart heading">
          <h2 id="needs">
            Needs attention{" "}
            {needed.total > 0 && <span class="help">{formatCount(needed.total)}</span>}
          </h2>
          <a href="/incidents">All incidents</a>
        </div>
        {needed.total + ownedByLeavers.total === 0 && <p class="help">{CALM[unjudged]}</p>}
        {needed.items.map(({ row, group }) =>
          row
            ? <IncidentRow key={row.id} row={row} />
            : <GroupRow key={group.code} {...{ group, now }} />
        )}
        {needed.total > shown && (
          <p>
            <a href="/incidents">
              {formatCountOf(needed.total - shown, "more open incident", "more open incidents")}
            </a>
          </p>
        )}
        {ownedByLeavers.total > 0 && (
          <p>
            Owned in the service by somebody who left: {separated(
              ownedByLeavers.items.map(({ name, scheduleId }) => (
                <a href={scheduleHref(scheduleId)}>{name}</a>
              )),
              " · ",
            )}
            {unnamed > 0 && ` and ${formatCount(unnamed)} more`}
          </p>
        )}
        {acknowledged > 0 && (
          <p class="small">
            <a href="/incidents">{formatCount(acknowledged)} acknowledged</a>
          </p>
        )}
        {silenced.total > 0 && (
          <p class="small">
            {formatCount(silenced.total)} muted or paused: {separated(
              silenced.items.map(({ name, silence }) => (
                <>
                  <a
                    href={silence.incidentId === null
                      ? scheduleHref(silence.scheduleId ?? "")
                      : incidentHref(silence.incidentId)}
                  >
                    {name}
                  </a>, <SilenceNote silence={silence} of={name} />
                </>
              )),
              " · ",
            )}
          </p>
        )}
        {needed.total > 0 && <ActingAs />}
      </div>
    </section>
  );
}

export function WhoIsNotified({ shown, others }: Watched["outlets"]) {
  return (
    <Notifications isNobody={shown.length + others === 0}>
      <ChannelList channels={shown} />
      {others > 0 && (
        <p>
          <a href="/owners">{formatCountOf(others, "owner channel", "owner channels")}</a>: nothing
          waiting
        </p>
      )}
    </Notifications>
  );
}

const MAX_LATER = 6;

/** What is planned for the rest of the day: each report once, at its next run. */
export function LaterToday({ summary, unjudged }: Pick<Watched, "summary" | "unjudged">) {
  const { now, zone } = useMoment();
  const clock = (at: number) => formatMoment(at, zone).slice(11);
  const reports = [...Map.groupBy(laterToday(summary), ({ scheduleId }) => scheduleId).values()];
  const unnamed = reports.length - MAX_LATER;
  return (
    <Section id="later" title="Later today">
      {reports.length === 0 && (
        <p class="help">
          Nothing more is planned for today{unjudged !== "none" && ", of what was read so far"}.
        </p>
      )}
      <ol class="plain later">
        {reports.slice(0, MAX_LATER).map((runs) => {
          const [{ at, scheduleId, name }] = runs;
          return (
            <li key={scheduleId} class="line apart">
              <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>{" "}
              <a href={scheduleHref(scheduleId)}>{name || scheduleId}</a>{" "}
              <span class="help">
                {runs.length > 1
                  ? `${runs.length} runs until ${clock(runs.at(-1)!.at)}`
                  : formatAgo(at, now)}
              </span>
            </li>
          );
        })}
      </ol>
      {unnamed > 0 && (
        <p class="help">and {formatCountOf(unnamed, "more report", "more reports")}</p>
      )}
    </Section>
  );
}
