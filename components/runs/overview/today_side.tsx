import { formatCountOf } from "../../../lib/format.ts";
import { formatAgo } from "../../ui/moment.tsx";
import { formatMoment, useMoment } from "../../ui/zone.ts";
import { scheduleHref } from "../run_links.tsx";
import { ChannelList, type ChannelRow } from "../owners/channel_list.tsx";
import { type DaySummary, laterToday } from "../../../lib/judgement/day_summary.ts";

const MAX_LATER = 6;

export function WhoIsNotified({ outlets, others }: {
  readonly outlets: readonly ChannelRow[];
  readonly others: number;
}) {
  return (
    <section aria-labelledby="notified">
      <h2 id="notified">Notifications</h2>
      {outlets.length + others === 0 && (
        <p class="help">
          Nobody is notified. <a href="/owners">Set up a channel</a>
        </p>
      )}
      <ChannelList channels={outlets} />
      {others > 0 && (
        <p>
          <a href="/owners">{formatCountOf(others, "channel", "channels")} of owners</a>{" "}
          {others === 1 ? "has" : "have"} nothing waiting
        </p>
      )}
      <a href="/incidents/deliveries">Deliveries</a> · <a href="/owners">Owners</a>
    </section>
  );
}

export function LaterToday({ summary }: { readonly summary: Pick<DaySummary, "marks" | "now"> }) {
  const { now, zone } = useMoment();
  const later = laterToday(summary);
  return (
    <section aria-labelledby="later">
      <h2 id="later">Later today</h2>
      {later.length === 0 && <p class="help">Nothing more is planned for today.</p>}
      <ol class="plain later">
        {later.slice(0, MAX_LATER).map(({ at, scheduleId, name }) => (
          <li key={`${at} ${scheduleId}`}>
            <time dateTime={new Date(at).toISOString()}>{formatMoment(at, zone).slice(11)}</time>
            {" "}
            <a href={scheduleHref(scheduleId)}>{name || scheduleId}</a>{" "}
            <span class="help">{formatAgo(at, now)}</span>
          </li>
        ))}
      </ol>
      {later.length > MAX_LATER && (
        <p class="help">
          and {formatCountOf(later.length - MAX_LATER, "more run", "more runs")} today
        </p>
      )}
    </section>
  );
}
