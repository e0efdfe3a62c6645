import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Moment } from "../../ui/moment.tsx";
import { incidentHref } from "./incident_table.tsx";

/** A delivery as a row of the table; times are milliseconds since 1970. */
export interface DeliveryRow {
  readonly id: string;
  readonly outlet: string;
  /** What it says, as a sentence. */
  readonly summary: string;
  readonly incidentId: string | null;
  readonly created: number;
  readonly attempts: number;
  readonly sent: number | null;
  readonly next: number | null;
  /** Whether nothing earlier of its incident has to be sent first. */
  readonly isInTurn: boolean;
  readonly givenUp: boolean;
  readonly error: string | null;
}

const COLUMNS: readonly Column<DeliveryRow>[] = [
  {
    name: "Message",
    kind: "sentence",
    cell: ({ incidentId, summary }) =>
      incidentId === null ? summary : <a href={incidentHref(incidentId)}>{summary}</a>,
  },
  { name: "Outlet", cell: ({ outlet }) => outlet },
  { name: "State", kind: "sentence", cell: (delivery) => <DeliveryState delivery={delivery} /> },
  { name: "Created", kind: "time", cell: ({ created }) => <Moment at={created} /> },
  { name: "Sent", kind: "time", cell: ({ sent }) => <Moment at={sent} /> },
  { name: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
  {
    name: "Send again",
    isUnseen: true,
    cell: ({ id }) => (
      <form method="post" action="/incidents/deliveries">
        <button type="submit" class="quiet" name="replay" value={id}>
          Send again <span class="unseen">{id}</span>
        </button>
      </form>
    ),
  },
];

/** The deliveries, one row each, with a form that sends one again. */
export function DeliveryTable({ deliveries, isFiltered }: {
  readonly deliveries: readonly DeliveryRow[];
  /** Whether there may be others. */
  readonly isFiltered?: boolean;
}) {
  return (
    <DataTable
      name="Deliveries"
      columns={COLUMNS}
      rows={deliveries}
      keyOf={({ id }) => id}
      empty={isFiltered ? "No deliveries match." : "Nothing has been sent yet."}
    />
  );
}

function DeliveryState(
  { delivery: { sent, next, isInTurn, givenUp, error } }: { readonly delivery: DeliveryRow },
) {
  if (givenUp) return <span class="status bad">⚠ given up: {error}</span>;
  if (sent && !next) {
    return error
      ? <span class="status bad">⚠ sent, but: {error}</span>
      : <span class="status good">✓ sent</span>;
  }
  return (
    <>
      {error && <span class="status bad">⚠ {error};</span>}{" "}
      <Waiting next={next} isNext={isInTurn} />
    </>
  );
}

/** What a delivery waits for; without a time, it is sent with another one. */
function Waiting({ next, isNext }: { readonly next: number | null; readonly isNext: boolean }) {
  if (!next) return "waits as part of another message";
  if (!isNext) return "waits for the message before it";
  return (
    <>
      waits until <Moment at={next} />
    </>
  );
}
