import { useContext } from "preact/hooks";
import { When } from "../../ui/moment.tsx";
import { formatMoment, Zone } from "../../ui/zone.ts";
import { ForActing } from "../../ui/reader.tsx";
import { formatCount } from "../../../lib/format.ts";
import { type DeliveryRow, DeliveryState } from "./delivery_table.tsx";

export function IncidentNotified({ outlets, isMuted, now }: {
  readonly outlets: readonly { readonly outlet: string; readonly delivery: DeliveryRow | null }[];
  readonly isMuted: boolean;
  readonly now: number;
}) {
  return (
    <section aria-labelledby="notified">
      <h2 id="notified">Who is notified</h2>
      {outlets.length === 0 && (
        <p class="help">Nobody: no webhook, mail or Alertmanager is configured.</p>
      )}
      <ul class="plain outlets">
        {outlets.map(({ outlet, delivery }) => (
          <li key={outlet}>
            <span>{outlet}</span>
            <span class={delivery ? undefined : "help"}>
              {delivery
                ? <DeliveryState delivery={delivery} now={now} />
                : `nothing sent${isMuted ? ": muted" : ""}`}
              {delivery && !delivery.sent && (
                <ForActing>
                  {" "}
                  <button
                    type="submit"
                    class="quiet"
                    formaction="/incidents/deliveries"
                    formnovalidate
                    name="replay"
                    value={delivery.id}
                  >
                    Send now<span class="unseen">: {outlet}</span>
                  </button>
                </ForActing>
              )}
            </span>
          </li>
        ))}
      </ul>
      <a href="/incidents/deliveries">Deliveries</a>
    </section>
  );
}

const MAX_NAMES = 12;

export function MeantFor({ names, total, wasSent, href }: {
  readonly names: readonly string[];
  readonly total: number;
  readonly wasSent: boolean;
  readonly href: string;
}) {
  if (names.length === 0) return null;
  return (
    <section aria-labelledby="meant-for">
      <h2 id="meant-for">{wasSent ? "Who got it" : "Who was meant to get it"}</h2>
      <p>
        {names.slice(0, MAX_NAMES).join(", ")}
        {total > MAX_NAMES && (
          <>
            , <a href={href}>and {formatCount(total - MAX_NAMES)} more</a>
          </>
        )}
      </p>
    </section>
  );
}

export interface TimelineEntry {
  readonly at: number;
  readonly words: string;
  readonly isBad?: boolean;
  readonly href?: string;
  /** Who did it; empty for Docket itself. */
  readonly person?: string;
  readonly note?: string | null;
  readonly deliveries?: readonly DeliveryRow[];
}

export function Timeline({ timeline, now }: {
  readonly timeline: readonly TimelineEntry[];
  readonly now: number;
}) {
  const zone = useContext(Zone);
  const when = (at: number) => <When at={at} now={now} />;
  return (
    <ol class="plain happened" aria-label="What happened">
      {timeline.map(({ at, words, isBad, href, person, note, deliveries = [] }, place) => (
        <li key={place} class={isBad ? "bad" : undefined}>
          <b>
            {href ? <a href={href}>{when(at)}</a> : when(at)}
          </b>{" "}
          {words}
          {person && ` by ${person}`}
          {note && `: ${inZone(note, zone)}`}
          {deliveries.map((delivery, place) => (
            <span key={delivery.id}>
              {place === 0 ? ": " : ", "}
              {delivery.outlet} <DeliveryState delivery={delivery} now={now} />
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}

/** Docket writes times in notes in UTC; pages show them in the reader's zone. */
function inZone(note: string, zone: string): string {
  return note.replace(
    /\b\d{4}-\d\d-\d\dT\d\d:\d\dZ/g,
    (moment) => formatMoment(moment.replace("Z", ":00Z"), zone),
  );
}
