import { useContext } from "preact/hooks";
import { formatWhen, When } from "../../ui/moment.tsx";
import { Zone } from "../../ui/zone.ts";
import { ForActing } from "../../ui/reader.tsx";
import { formatCount } from "../../../lib/format.ts";
import type { Recipient } from "../../../lib/types.ts";
import { recipientName } from "../../../lib/runs/recipient_names.ts";
import { runHref } from "../run_links.tsx";
import { ROW_FORM } from "./silence.tsx";
import { type DeliveryRow, DeliveryState } from "./delivery_state.tsx";

export function IncidentNotified({ outlets, isMuted, now }: {
  readonly outlets: readonly { readonly outlet: string; readonly delivery: DeliveryRow | null }[];
  readonly isMuted: boolean;
  readonly now: number;
}) {
  return (
    <section aria-labelledby="notified">
      <h2 id="notified">Notifications</h2>
      {outlets.length === 0 && (
        <p class="help">
          Nobody is notified. <a href="/owners">Set up a channel</a>
        </p>
      )}
      <ul class="plain outlets">
        {outlets.map(({ outlet, delivery }) => (
          <li key={outlet}>
            <span>{outlet}</span>{" "}
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
                    form={ROW_FORM}
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

/** Whom the runs of an incident are for: who did not get it, or who did. */
export function Recipients({ people, wasSent, href }: {
  readonly people: readonly Recipient[];
  readonly wasSent: boolean;
  readonly href: string;
}) {
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="recipients">
      <div class="heading">
        <h2 id="recipients">{wasSent ? "Got it" : "Did not get it"}</h2>
        <a href={href}>All recipients</a>
      </div>
      <ul class="plain">
        {people.slice(0, MAX_NAMES).map((person, at) => (
          <li key={at}>{recipientName(person, false)}</li>
        ))}
        {people.length > MAX_NAMES && <li>and {formatCount(people.length - MAX_NAMES)} more</li>}
      </ul>
    </section>
  );
}

export interface TimelineEntry {
  readonly at: number;
  readonly words: string;
  readonly isBad?: boolean;
  readonly run?: { readonly scheduleId: number; readonly runId: number };
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
    <ol class="plain happened" aria-label="Timeline">
      {timeline.map(({ at, words, isBad, run, person, note, deliveries = [] }, place) => (
        <li key={place} class={isBad ? "bad" : undefined}>
          <b>
            {run ? <a href={runHref(run.scheduleId, run.runId)}>{when(at)}</a> : when(at)}
          </b>{" "}
          {words}
          {person && ` by ${person}`}
          {note && `: ${withTimes(note, now, zone)}`}
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

/** Docket writes times in notes in UTC; pages show them as all others, in the reader's zone. */
function withTimes(note: string, now: number, zone: string): string {
  return note.replace(
    /\b\d{4}-\d\d-\d\dT\d\d:\d\dZ/g,
    (moment) => formatWhen(Date.parse(moment), now, zone),
  );
}
