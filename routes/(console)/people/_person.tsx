import { useContext } from "preact/hooks";
import { formatCount } from "../../../lib/format.ts";
import { recipientName } from "../../../lib/runs/recipient_names.ts";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { type Column, DataTable } from "../../../components/ui/data_table.tsx";
import {
  Address,
  AddressesShown,
  AddressSwitch,
} from "../../../components/runs/recipients/address.tsx";
import { PEOPLE_PATH, RunMoment, scheduleHref } from "../../../components/runs/run_links.tsx";
import { ExpectedForm } from "../../../components/runs/people/expected_form.tsx";
import { PersonFlags } from "../../../components/runs/people/person_flags.tsx";
import type { loadPerson } from "../../../server/pages/person.ts";

type Loaded = Awaited<ReturnType<typeof loadPerson>>;
type Received = Loaded["rows"][number];

export function PersonHeader(
  { person, addresses, others }: Pick<Loaded, "person" | "addresses" | "others">,
) {
  const { userId } = person.recipient;
  return (
    <>
      <PageHeader
        title={recipientName(person.recipient, useContext(AddressesShown))}
        path={PEOPLE_PATH}
      />
      <p id="person">
        <PersonFlags person={person} /> {addresses.map((address, at) => (
          <>
            {at > 0 && " · formerly or also "}
            <Address address={address} />
          </>
        ))}
        {typeof userId === "number" && userId > 0 && ` · user ${userId}`}
        {others.map(({ id, userId }) => (
          <>
            {" · same address: "}
            <a href={`/people/${id}`}>
              {userId === null ? "somebody without a user id" : `user ${userId}`}
            </a>
          </>
        ))}
        {addresses.length > 0 && [" · ", <AddressSwitch key="addresses" anchor="person" />]}
      </p>
    </>
  );
}

export function ReceivedTable({ personId, rows }: {
  readonly personId: number;
  readonly rows: readonly Received[];
}) {
  return (
    <DataTable
      name="Schedules"
      caption="What this person received, with the first and the last run that shows it"
      columns={columnsOf(personId)}
      rows={rows}
      keyOf={({ scheduleId }) => scheduleId}
    />
  );
}

const columnsOf = (personId: number): readonly Column<Received>[] => [
  {
    name: "Schedule",
    cell: ({ scheduleId, name }) => <a href={scheduleHref(scheduleId)}>{name}</a>,
  },
  {
    name: "Since",
    kind: "time",
    cell: ({ scheduleId, first, firstRun, isAtLeast }) => (
      <>
        {isAtLeast && "at least "}
        <RunMoment at={first} run={firstRun} scheduleId={scheduleId} />
      </>
    ),
  },
  {
    name: "Last",
    kind: "time",
    cell: ({ scheduleId, last, lastRun }) => (
      <RunMoment at={last} run={lastRun} scheduleId={scheduleId} />
    ),
  },
  { name: "Runs", kind: "number", cell: ({ runs }) => formatCount(runs) },
  { name: "State", cell: ({ receiving }) => receiving ? "Still receiving" : "No longer" },
  {
    name: "Decision",
    cell: ({ scheduleId, name, receiving, decision }) =>
      decision ??
        (receiving > 0 && <ExpectedForm personId={personId} scheduleId={scheduleId} name={name} />),
  },
];

export function ReceivedTimeline({ rows }: { readonly rows: readonly Received[] }) {
  return (
    <>
      <h2>Timeline</h2>
      <ol class="timeline plain">
        {eventsOf(rows).map(({ at, run, scheduleId, words }) => (
          <li key={`${scheduleId} ${at} ${words}`}>
            <RunMoment at={at} run={run} scheduleId={scheduleId} />
            <span>{words}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function eventsOf(rows: readonly Received[]) {
  return rows.flatMap((row) => {
    const { scheduleId, name, first, firstRun, last, lastRun, receiving, fromStart } = row;
    const begin = fromStart ? `${name}: in its first known run` : `Added to ${name}`;
    return [
      { at: first, run: firstRun, scheduleId, words: begin },
      ...receiving
        ? []
        : [{ at: last, run: lastRun, scheduleId, words: `Last run of ${name} to this person` }],
    ];
  }).sort((a, b) => b.at - a.at || a.scheduleId - b.scheduleId);
}
