import { ROW_FORM } from "../../../components/runs/incidents/silence.tsx";
import { runHref } from "../../../components/runs/run_links.tsx";
import { formatWhen, When } from "../../../components/ui/moment.tsx";
import { ForActing } from "../../../components/ui/reader.tsx";
import { useMoment } from "../../../components/ui/zone.ts";
import type { loadIncident } from "../../../server/pages/incident.ts";
import { DeliveryState } from "./_delivery_state.tsx";

type Loaded = Awaited<ReturnType<typeof loadIncident>>;

export function IncidentNotified({ outlets, isMuted }: {
  readonly outlets: Loaded["outlets"];
  readonly isMuted: boolean;
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
                ? <DeliveryState delivery={delivery} />
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

export function Timeline({ timeline }: Pick<Loaded, "timeline">) {
  const { now, zone } = useMoment();
  const when = (at: number) => <When at={at} />;
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
              {delivery.outlet} <DeliveryState delivery={delivery} />
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
