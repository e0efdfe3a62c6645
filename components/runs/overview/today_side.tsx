import { useContext } from "preact/hooks";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import { formatAgo, When } from "../../ui/ago.tsx";
import { formatMoment, Zone } from "../../ui/zone.ts";
import { scheduleHref } from "../run_links.ts";
import type { MarkOfDay } from "./day_summary.ts";

/** How an outlet does; times are milliseconds since 1970. */
interface OutletRow {
  readonly outlet: string;
  readonly sent: number | null;
  readonly waiting: number;
  readonly failingSince: number | null;
}

const MOST_LATER = 6;

/** Whether messages about incidents arrive. */
export function WhoIsNotified({ outlets, now }: {
  readonly outlets: readonly OutletRow[];
  readonly now: number;
}) {
  return (
    <section aria-labelledby="notified">
      <h2 id="notified">Who is notified</h2>
      {outlets.length === 0 && (
        <p class="help">Nobody: no webhook, mail or Alertmanager is configured.</p>
      )}
      <ul class="plain outlets">
        {outlets.map(({ outlet, sent, waiting, failingSince }) => {
          const isFailing = failingSince !== null;
          return (
            <li key={outlet}>
              <span class={`status ${isFailing ? "bad" : "good"}`}>
                <span aria-hidden="true">{isFailing ? "✕" : "✓"}</span> {outlet}
                {waiting > 0 && `, ${formatCount(waiting)} waiting`}
              </span>{" "}
              <span class="help">
                {isFailing
                  ? (
                    <>
                      failing since <When at={failingSince} now={now} hasDistance />
                    </>
                  )
                  : sent === null
                  ? "nothing sent yet"
                  : (
                    <>
                      last sent <When at={sent} now={now} hasDistance />
                    </>
                  )}
              </span>
            </li>
          );
        })}
      </ul>
      <a href="/incidents/deliveries">Deliveries</a>
    </section>
  );
}

/** What is planned later today, by clock time. */
export function LaterToday({ later, now }: {
  readonly later: readonly MarkOfDay[];
  readonly now: number;
}) {
  const zone = useContext(Zone);
  return (
    <section aria-labelledby="later">
      <h2 id="later">Later today</h2>
      {later.length === 0 && <p class="help">Nothing more is planned for today.</p>}
      <ol class="plain later">
        {later.slice(0, MOST_LATER).map(({ at, scheduleId, name }) => (
          <li key={`${at} ${scheduleId}`}>
            <time dateTime={new Date(at).toISOString()}>{formatMoment(at, zone).slice(11)}</time>
            <a href={scheduleHref(scheduleId)}>{name || scheduleId}</a>
            <span class="help">{formatAgo(at, now)}</span>
          </li>
        ))}
      </ol>
      {later.length > MOST_LATER && (
        <p class="help">
          and {formatCountOf(later.length - MOST_LATER, "more run", "more runs")} today
        </p>
      )}
    </section>
  );
}
