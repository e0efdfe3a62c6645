/** The side of an incident's page: who was sent messages, and who the report is for. */
import { ForActing } from "../../ui/reader.tsx";
import { formatCount } from "../../../lib/format.ts";
import { DeliveryState } from "./delivery_table.tsx";
import type { DeliveryRow } from "./delivery_table.tsx";

/** An outlet, and its newest message about an incident; null if it has none. */
export interface NotifiedOutlet {
  readonly outlet: string;
  readonly delivery: DeliveryRow | null;
}

export function IncidentNotified({ outlets, isMuted, now }: {
  readonly outlets: readonly NotifiedOutlet[];
  /** Whether it has been muted ever since it opened. */
  readonly isMuted: boolean;
  readonly now: number;
}) {
  return (
    <section aria-labelledby="notified">
      <h2 id="notified">Who is notified</h2>
      {outlets.length === 0 && <p class="help">Nobody: no webhook, mail or other is set up.</p>}
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

const MOST_NAMES = 12;

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
        {names.slice(0, MOST_NAMES).join(", ")}
        {total > MOST_NAMES && (
          <>
            , <a href={href}>and {formatCount(total - MOST_NAMES)} more</a>
          </>
        )}
      </p>
    </section>
  );
}
