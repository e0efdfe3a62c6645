import { useContext } from "preact/hooks";
import { PersonFlags } from "../../../components/runs/people/person_flags.tsx";
import { Address, AddressesShown } from "../../../components/runs/recipients/address.tsx";
import { recipientName } from "../../../lib/runs/recipient_names.ts";
import { type Column, DataTable } from "../../../components/ui/data_table.tsx";
import { When } from "../../../components/ui/moment.tsx";
import { formatCount } from "../../../lib/format.ts";
import type { loadPeople } from "../../../server/pages/people_page.ts";

type Row = Awaited<ReturnType<typeof loadPeople>>["rows"][number];

/** People with the schedules that they received, or with the runs that they received of one. */
export function PeopleTable({ rows, isOfSchedule }: {
  readonly rows: readonly Row[];
  readonly isOfSchedule: boolean;
}) {
  const columns = columnsOf(useContext(AddressesShown), isOfSchedule);
  return <DataTable name="People" columns={columns} rows={rows} />;
}

function columnsOf(isShown: boolean, isOfSchedule: boolean): readonly Column<Row>[] {
  return [
    {
      name: "Person",
      cell: ({ person }) => (
        <>
          <a href={`/people/${person.id}`}>{recipientName(person.recipient, isShown)}</a>
          <PersonFlags person={person} />
        </>
      ),
    },
    {
      name: "Address",
      cell: ({ person }) => <Address address={person.recipient.emailAddress} />,
    },
    ...isOfSchedule ? OF_SCHEDULE : OF_ALL,
    { name: "Receives since", kind: "time", cell: ({ first }) => <When at={first} /> },
    { name: "Last", kind: "time", cell: ({ last }) => <When at={last} /> },
  ];
}

const OF_ALL: readonly Column<Row>[] = [
  { name: "Schedules", kind: "number", cell: ({ schedules }) => formatCount(schedules) },
  {
    name: "Including",
    kind: "sentence",
    cell: ({ receipts, schedules }) =>
      receipts.map(({ name }) => name).join(", ") +
      (schedules > receipts.length ? ` and ${schedules - receipts.length} more` : ""),
  },
];

const OF_SCHEDULE: readonly Column<Row>[] = [
  {
    name: "Runs",
    kind: "number",
    cell: ({ receipts: [receipt] }) => formatCount(receipt.runs),
  },
  {
    name: "State",
    cell: ({ receipts: [receipt] }) => receipt.receiving ? "Still receiving" : "No longer",
  },
];
