import { FormKey } from "../../ui/form_key.tsx";
import { ForActing } from "../../ui/reader.tsx";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { When } from "../../ui/moment.tsx";
import { incidentHref } from "../run_links.tsx";

/** A delivery as a row of the table; times are milliseconds since 1970. */
export interface DeliveryRow {
  readonly id: string;
  readonly outlet: string;
  readonly summary: string;
  readonly incidentId: string | null;
  readonly created: number;
  readonly attempts: number;
  readonly sent: number | null;
  readonly next: number | null;
  /** Whether no earlier message of its incident has to be sent first. */
  readonly isInTurn: boolean;
  readonly givenUp: boolean;
  readonly error: string | null;
}

export function DeliveryTable({ deliveries, now }: {
  readonly deliveries: readonly DeliveryRow[];
  readonly now: number;
}) {
  const columns: readonly Column<DeliveryRow>[] = [
    {
      name: "Message",
      kind: "sentence",
      cell: ({ incidentId, summary }) =>
        incidentId === null ? summary : <a href={incidentHref(incidentId)}>{summary}</a>,
    },
    { name: "Channel", cell: ({ outlet }) => outlet },
    {
      name: "State",
      kind: "sentence",
      cell: (delivery) => <DeliveryState delivery={delivery} now={now} />,
    },
    {
      name: "Created",
      kind: "time",
      cell: ({ created }) => <When at={created} now={now} hasDistance />,
    },
    { name: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
    {
      name: "Send again",
      isUnseen: true,
      cell: ({ id }) => (
        <ForActing>
          <form method="post" action="/incidents/deliveries">
            <FormKey />
            <button type="submit" class="quiet" name="replay" value={id}>
              Send again <span class="unseen">{id}</span>
            </button>
          </form>
        </ForActing>
      ),
    },
  ];
  return (
    <DataTable
      name="Deliveries"
      columns={columns}
      rows={deliveries}
      keyOf={({ id }) => id}
    />
  );
}

export function DeliveryState({ delivery, now }: {
  readonly delivery: DeliveryRow;
  readonly now: number;
}) {
  const { sent, next, isInTurn, givenUp, error } = delivery;
  const when = (at: number) => <When at={at} now={now} />;
  if (givenUp) return <span class="status bad">⚠ failed: {error}</span>;
  if (sent && !next) {
    return error
      ? <span class="status bad">⚠ sent, but: {error}</span>
      : <span class="status good">✓ sent {when(sent)}</span>;
  }
  return (
    <>
      {error && <span class="status bad">⚠ {error};</span>} {sent && "being sent again; "}
      {!next
        ? "waits as part of another message"
        : !isInTurn
        ? "waits for the message before it"
        : <>next attempt {when(next)}</>}
    </>
  );
}
