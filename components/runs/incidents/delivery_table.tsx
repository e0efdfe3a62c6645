import { Missing, Moment, ZoneName } from "../../ui/moment.tsx";
import { incidentHref } from "./incident_table.tsx";

/** A delivery as a row of the ledger. */
export interface DeliveryRow {
  readonly id: string;
  readonly outlet: string;
  /** What it says, in a sentence. */
  readonly summary: string;
  readonly incidentId: string | null;
  readonly created: string;
  readonly attempts: number;
  readonly sent: string | null;
  readonly next: string | null;
  readonly givenUp: boolean;
  readonly error: string | null;
}

/** The ledger of deliveries, a row each; a form sends one again. */
export function DeliveryTable({ deliveries }: { readonly deliveries: readonly DeliveryRow[] }) {
  return (
    <div class="scroll" role="region" aria-label="Deliveries" tabIndex={0}>
      <table>
        <caption class="unseen">
          Deliveries, times in <ZoneName />
        </caption>
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col">Outlet</th>
            <th scope="col">State</th>
            <th scope="col">
              Created <ZoneName />
            </th>
            <th scope="col">
              Sent <ZoneName />
            </th>
            <th scope="col" class="number">Attempts</th>
            <th scope="col">
              <span class="unseen">Send again</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <th scope="row">
                {delivery.incidentId === null
                  ? delivery.summary
                  : <a href={incidentHref(delivery.incidentId)}>{delivery.summary}</a>}
              </th>
              <td>{delivery.outlet}</td>
              <td>
                <DeliveryState delivery={delivery} />
              </td>
              <td>
                <Moment at={delivery.created} />
              </td>
              <td>{delivery.sent ? <Moment at={delivery.sent} /> : <Missing />}</td>
              <td class="number">{delivery.attempts}</td>
              <td>
                <form method="post" action="/incidents/deliveries">
                  <button type="submit" class="quiet" name="replay" value={delivery.id}>
                    Send again <span class="unseen">{delivery.id}</span>
                  </button>
                </form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DeliveryState({ delivery: { next, givenUp, error } }: { readonly delivery: DeliveryRow }) {
  if (givenUp) return <span class="status bad">⚠ given up: {error}</span>;
  if (!next) return <span class="status good">✓ sent</span>;
  return (
    <>
      waits until <Moment at={next} />
      {error && <span class="status bad">⚠ {error}</span>}
    </>
  );
}
