import { DeliveryState } from "./_delivery_state.tsx";
import { incidentHref } from "../../../components/runs/run_links.tsx";
import { type Column, DataTable } from "../../../components/ui/data_table.tsx";
import { ActionForm } from "../../../components/ui/action_form.tsx";
import { When } from "../../../components/ui/moment.tsx";
import type { loadDeliveries } from "../../../server/pages/incident_list.ts";

type Loaded = Pick<Awaited<ReturnType<typeof loadDeliveries>>, "deliveries">;

export function DeliveryTable({ deliveries }: Loaded) {
  return (
    <DataTable
      name="Deliveries"
      columns={COLUMNS}
      rows={deliveries}
      keyOf={({ id }) => id}
    />
  );
}

const COLUMNS: readonly Column<Loaded["deliveries"][number]>[] = [
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
    cell: (delivery) => <DeliveryState delivery={delivery} />,
  },
  {
    name: "Created",
    kind: "time",
    cell: ({ created }) => <When at={created} hasDistance />,
  },
  { name: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
  {
    name: "Send again",
    isUnseen: true,
    cell: ({ id }) => (
      <ActionForm action="/incidents/deliveries">
        <button type="submit" class="quiet" name="replay" value={id}>
          Send again <span class="unseen">{id}</span>
        </button>
      </ActionForm>
    ),
  },
];
