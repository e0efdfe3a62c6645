import { useContext } from "preact/hooks";
import { formatCount } from "../../../lib/format.ts";
import { recipientName } from "../../../lib/runs/recipient_names.ts";
import { PageHeader } from "../../page/page_header.tsx";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Address, AddressesShown, AddressSwitch } from "../recipients/address.tsx";
import { PEOPLE_PATH, RunMoment, scheduleHref } from "../run_links.tsx";
import { ExpectedForm } from "./expected_form.tsx";
import { PersonFlags, type ShownPerson } from "./person_flags.tsx";

export function PersonHeader({ person, addresses, others }: {
  readonly person: ShownPerson;
  readonly addresses: readonly string[];
  /** Who else has one of the addresses. */
  readonly others: readonly { readonly id: number; readonly userId: number | null }[];
}) {
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

/** A schedule that somebody received, with the first and the last run that shows it. */
interface ReceivedRow {
  readonly scheduleId: number;
  readonly name: string;
  readonly first: number;
  readonly firstRun: number | null;
  readonly last: number;
  readonly lastRun: number | null;
  readonly runs: number;
  /** 1 if its last run lists the person. */
  readonly receiving: number;
  /** 1 if its first known run lists the person. */
  readonly fromStart: number;
  readonly isAtLeast: boolean;
  readonly decision?: string;
}

export function ReceivedTable({ personId, rows }: {
  readonly personId: number;
  readonly rows: readonly ReceivedRow[];
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

const columnsOf = (personId: number): readonly Column<ReceivedRow>[] => [
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

export function ReceivedTimeline({ rows }: { readonly rows: readonly ReceivedRow[] }) {
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

function eventsOf(rows: readonly ReceivedRow[]) {
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
