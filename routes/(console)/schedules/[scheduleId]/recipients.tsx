import { useContext } from "preact/hooks";
import { Empty } from "../../../../components/ui/empty.tsx";
import { AddressesShown, AddressSwitch } from "../../../../components/runs/recipients/address.tsx";
import { MAX_LISTED } from "../../../../components/runs/recipients/recipient_choices.ts";
import {
  flaggedFirst,
  matchesFilter,
  readRecipientFilter,
  RecipientFilterForm,
} from "../../../../components/runs/recipients/recipient_filter.tsx";
import {
  type RecipientFlag,
  RecipientTable,
} from "../../../../components/runs/recipients/recipient_table.tsx";
import { RecipientTimeline } from "../../../../components/runs/recipients/recipient_timeline.tsx";
import { RunLink } from "../../../../components/runs/run_link.tsx";
import { Ago } from "../../../../components/ui/ago.tsx";
import { scheduleHref } from "../../../../components/runs/run_links.ts";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { type Column, DataTable } from "../../../../components/ui/data_table.tsx";
import { LoneMoment } from "../../../../components/ui/moment.tsx";
import { Pager } from "../../../../components/ui/pager.tsx";
import { formatCount, formatCountOf, timeText, wholeNumber } from "../../../../lib/format.ts";
import { type RecipientDomain, recipientKey } from "../../../../lib/runs/recipients.ts";
import { timeOf } from "../../../../lib/runs/times.ts";
import type { Recipient } from "../../../../lib/types.ts";
import { loadPage } from "../../../_errors.ts";
import { loadSchedule, recipientsOf, type ScheduleContext } from "../_runs.ts";
import { handler, page } from "./$recipients.ts";

const MAX_NOTICES = 20;
/** How many recipients a page lists: a phone shows each as a card. */
const PAGE = 20;

export const handlers = handler({
  GET: (ctx) => loadPage(ctx, () => loadRecipients(ctx)),
});

async function loadRecipients(ctx: ScheduleContext) {
  const schedule = await loadSchedule(ctx);
  const filter = readRecipientFilter(ctx.url.searchParams);
  const { histories, newcomers, others, timeline, ...known } = recipientsOf(
    schedule.loaded,
    ctx.state.preferences.statuses,
  );
  const flags = new Map<string, RecipientFlag>([
    ...newcomers.map(({ history }) => [history.key, "external"] as const),
    ...others.flatMap(({ keys }) => keys.map((key) => [key, "elsewhere"] as const)),
  ]);
  const matches = (recipient: Recipient) =>
    matchesFilter(recipient, [recipient.emailAddress], filter);
  return {
    ...schedule,
    ...known,
    newcomers,
    others,
    flags,
    filter,
    count: histories.length,
    current: histories.filter(({ isCurrent }) => isCurrent).length,
    offset: wholeNumber(ctx.url.searchParams.get("offset") ?? "") ?? 0,
    listed: flaggedFirst(histories, flags)
      .filter(({ recipient, addresses }) => matchesFilter(recipient, addresses, filter)),
    timeline: timeline.map(({ run, came, went }) => ({
      run,
      came: came.filter(matches),
      went: went.filter(matches),
    })).filter(({ came, went }) => came.length + went.length > 0),
    now: Date.now(),
  };
}

export default page(({ data, params, state }) => {
  const { shown } = data;
  return (
    <>
      <ScheduleHeader current="recipients" data={data} params={params} state={state} />
      {shown && <Notices shown={shown} />}
      {shown?.count === 0 && <Empty>None of these runs lists its recipients.</Empty>}
      {shown && shown.count > 0 && <Recipients shown={shown} />}
    </>
  );
});

type ShownRecipients = Awaited<ReturnType<typeof loadRecipients>>;

/** New external recipients, and those at another domain than most. */
function Notices({ shown: { scheduleId, newcomers, others, current, now } }: {
  readonly shown: ShownRecipients;
}) {
  const more = newcomers.length - MAX_NOTICES;
  return (
    <>
      {newcomers.slice(0, MAX_NOTICES).map(({ history, domain }) => (
        <div key={history.key} class="notice bad">
          <p>
            <strong>⚠ {domain}</strong> is a new external domain. The first run sent there was{" "}
            <RunLink run={history.first} scheduleId={scheduleId} />
            {agoOf(history.first.startTime, now)}. This recipient received{" "}
            {formatCountOf(history.count, "run", "runs")}.
          </p>
        </div>
      ))}
      {more > 0 && (
        <p>
          {formatCountOf(more, "further recipient", "further recipients")} at new external domains.
        </p>
      )}
      {others.slice(0, MAX_NOTICES).map(({ domain, recipients, first }) => (
        <div key={domain} class="notice warning">
          <p>
            ◆ {formatCount(recipients)} of {formatCountOf(current, "recipient", "recipients")}{" "}
            {recipients === 1 ? "is" : "are"} at{" "}
            <strong>{domain}</strong>. The first run sent there was{" "}
            <RunLink run={first} scheduleId={scheduleId} />
            {agoOf(first.startTime, now)}.
          </p>
        </div>
      ))}
    </>
  );
}

function agoOf(startTime: string | null | undefined, now: number) {
  const at = timeOf(startTime);
  return at === undefined ? null : (
    <>
      , <Ago at={at} now={now} />
    </>
  );
}

function Recipients({ shown }: { readonly shown: ShownRecipients }) {
  const { scheduleId, listed, offset, count, flags, filter, domains, timeline } = shown;
  const addressesShown = useContext(AddressesShown);
  const last = Math.max(0, Math.ceil(listed.length / PAGE) - 1) * PAGE;
  const start = Math.min(Math.max(0, offset), last);
  const rows = listed.slice(start, start + PAGE);
  const paramsOf = (start: number) => {
    const params = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ""));
    if (start > 0) params.set("offset", String(start));
    return params;
  };
  const pageHref = (start: number) => {
    const params = paramsOf(start);
    if (addressesShown) params.set("addresses", "shown");
    return `?${params}#recipients`;
  };
  return (
    <>
      <RecipientFilterForm
        scheduleId={scheduleId}
        filter={filter}
        domains={domains.slice(0, MAX_LISTED)}
      />
      <p class="help" id="recipients">
        {listed.length < count && `${formatCount(listed.length)} of `}
        {formatCountOf(count, "recipient", "recipients")} ·{" "}
        <AddressSwitch anchor="recipients" params={paramsOf(start).toString()} />
      </p>
      {listed.length === 0
        ? <Empty>No recipients match the filter.</Empty>
        : <RecipientTable histories={rows} flags={flags} scheduleId={scheduleId} />}
      {listed.length > PAGE && (
        <Pager
          position={{ start, count: rows.length, limit: PAGE, total: listed.length }}
          href={pageHref}
          label="Pages of recipients"
        />
      )}
      <Export scheduleId={scheduleId} today={timeText(shown.now).slice(0, 10)} />
      <h2>Added and removed recipients</h2>
      <RecipientTimeline
        changes={timeline}
        scheduleId={scheduleId}
        isNew={(recipient) => flags.get(recipientKey(recipient)) === "external"}
      />
      <h2>Domains</h2>
      <DataTable
        name="Domains"
        caption="Email domains"
        class="narrow-table"
        columns={DOMAINS}
        rows={domains.slice(0, MAX_LISTED)}
      />
    </>
  );
}

function Export({ scheduleId, today }: { readonly scheduleId: number; readonly today: string }) {
  const path = `${scheduleHref(scheduleId)}/recipients.csv`;
  return (
    <>
      <p class="help">
        Export the recipients of every run as CSV: <a href={path}>masked addresses</a> or{" "}
        <a href={`${path}?addresses=shown`}>full addresses</a>. The whole history is read. If a
        download is interrupted, the file is incomplete.
      </p>
      <form action="/evidence" method="get">
        <input type="hidden" name="schedules" value={scheduleId} />
        <label>
          Signed evidence of who was on the list on{" "}
          <input type="date" name="on" required value={today} max={today} />
        </label>{" "}
        <button type="submit">Make it</button>
      </form>
    </>
  );
}

const DOMAINS: readonly Column<RecipientDomain>[] = [
  { name: "Domain", cell: ({ domain }) => domain },
  { name: "Recipients", kind: "number", cell: ({ recipients }) => formatCount(recipients) },
  {
    name: "First seen",
    cell: ({ firstSeen }) => firstSeen === null ? null : <LoneMoment at={firstSeen} />,
  },
];
