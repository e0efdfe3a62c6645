/** Messages about incidents, and what became of them. */
import { ChannelList, Notifications } from "../../../components/runs/owners/channel_list.tsx";
import { incidentHref } from "../../../components/runs/run_links.tsx";
import { ActionForm } from "../../../components/ui/form.tsx";
import { type Column, DataTable } from "../../../components/ui/list.tsx";
import { Marked } from "../../../components/ui/notices.tsx";
import { When } from "../../../components/ui/moment.tsx";
import type { loadIncident } from "../../../server/pages/incident.ts";
import type { deliveryRow } from "../../../server/pages/incidents.ts";

type Delivery = ReturnType<typeof deliveryRow>;

const BAD = ["⚠", "bad"] as const;

export function DeliveryState({ sent, next, isInTurn, givenUp, error }: Delivery) {
  if (givenUp) return <Marked mark={BAD}>failed: {error}</Marked>;
  if (sent && !next) {
    return error ? <Marked mark={BAD}>sent, but: {error}</Marked> : (
      <Marked mark={["✓", "good"]}>
        sent <When at={sent} />
      </Marked>
    );
  }
  return (
    <>
      {error && <Marked mark={BAD}>{error};</Marked>} {sent && "being sent again; "}
      {!next
        ? "waits as part of another message"
        : !isInTurn
        ? "waits for the message before it"
        : (
          <>
            next attempt <When at={next} />
          </>
        )}
    </>
  );
}

export function DeliveryTable({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  return <DataTable name="Deliveries" columns={COLUMNS} rows={deliveries} />;
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    name: "Message",
    kind: "sentence",
    cell: ({ incidentId, summary }) =>
      incidentId === null ? summary : <a href={incidentHref(incidentId)}>{summary}</a>,
  },
  { name: "Channel", cell: ({ outlet }) => outlet },
  { name: "State", kind: "sentence", cell: (delivery) => <DeliveryState {...delivery} /> },
  { name: "Created", cell: ({ created }) => <When at={created} hasDistance /> },
  { name: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
  {
    name: "Send again",
    isUnseen: true,
    cell: ({ id, isRemoved }) =>
      !isRemoved && (
        <ActionForm action="/incidents/deliveries">
          <button type="submit" class="quiet" name="replay" value={id}>
            Send again <span class="unseen">{id}</span>
          </button>
        </ActionForm>
      ),
  },
];

/** Who was notified of an incident, and how the channels are. */
export function IncidentNotified({ outlets, isMuted }: Pick<
  Awaited<ReturnType<typeof loadIncident>>,
  "outlets" | "isMuted"
>) {
  return (
    <Notifications isNobody={outlets.length === 0}>
      <ChannelList
        channels={outlets}
        about={({ delivery }) => (
          <p>
            {delivery
              ? <DeliveryState {...delivery} />
              : `Nothing sent of this${isMuted ? ": muted" : ""}`}
          </p>
        )}
      />
    </Notifications>
  );
}
