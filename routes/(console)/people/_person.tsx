import { useContext } from "preact/hooks";
import { formatCount } from "../../../lib/format.ts";
import { recipientName } from "../../../lib/runs/recipients.ts";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { type Column, DataTable } from "../../../components/ui/list.tsx";
import {
  Address,
  AddressesShown,
  AddressSwitch,
} from "../../../components/runs/recipients/address.tsx";
import { PEOPLE_TRAIL, RunMoment, scheduleHref } from "../../../components/runs/run_links.tsx";
import {
  ActionForm,
  Choice,
  Field,
  OperatorsOnly,
  PersonField,
} from "../../../components/ui/form.tsx";
import { When } from "../../../components/ui/moment.tsx";
import { Change } from "../../../components/ui/section.tsx";
import type { loadPerson } from "../../../server/pages/person.ts";
import { ExpectedForm, PersonFlags } from "./_parts.tsx";

type Loaded = Awaited<ReturnType<typeof loadPerson>>;
type Received = Loaded["rows"][number];

export function PersonHeader({ person, addresses }: Pick<Loaded, "person" | "addresses">) {
  const { recipient: { userId }, lastDay } = person;
  return (
    <>
      <PageHeader
        title={recipientName(person.recipient, useContext(AddressesShown))}
        trail={PEOPLE_TRAIL}
      />
      <p id="person" class="help">
        <PersonFlags {...person} /> {addresses.map((address, at) => (
          <>
            {at > 0 && " · formerly or also "}
            <Address address={address} />
          </>
        ))}
        {typeof userId === "number" && userId > 0 && ` · user ${userId}`}
        {addresses.length > 0 && [" · ", <AddressSwitch key="addresses" anchor="person" />]}
      </p>
      {lastDay && (
        <OperatorsOnly>
          <ActionForm action={`/people/${person.id}`} class="row">
            <button type="submit" class="quiet" name="stays" value="true">
              Take off the list of leavers
            </button>
          </ActionForm>
        </OperatorsOnly>
      )}
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
      columns={toColumns(personId)}
      rows={rows}
    />
  );
}

const toColumns = (personId: number): readonly Column<Received>[] => [
  {
    name: "Schedule",
    cell: ({ scheduleId, name }) => <a href={scheduleHref(scheduleId)}>{name}</a>,
  },
  {
    name: "Since",
    cell: ({ scheduleId, first, firstRun, isAtLeast }) => (
      <>
        {isAtLeast && "at least "}
        <RunMoment at={first} run={firstRun} scheduleId={scheduleId} />
      </>
    ),
  },
  {
    name: "Last",
    cell: ({ scheduleId, last, lastRun }) => (
      <RunMoment at={last} run={lastRun} scheduleId={scheduleId} />
    ),
  },
  { name: "Runs", kind: "number", cell: ({ runs }) => formatCount(runs) },
  {
    name: "State",
    cell: ({ receiving }) => receiving ? "Still receiving" : "Not in the last run sent",
  },
  {
    name: "Decision",
    cell: ({ scheduleId, name, receiving, decision }) =>
      decision ??
        (receiving
          ? <ExpectedForm personId={personId} scheduleId={scheduleId} name={name} />
          : null),
  },
];

/** What was decided about a person, and the form for another decision. */
export function Decisions(
  { decisions, withdrawn, domain, rows, path }:
    & Pick<Loaded, "decisions" | "withdrawn" | "domain" | "rows">
    & { readonly path: string },
) {
  return (
    <section id="decide">
      {/* Keeps Enter from withdrawing the first decision. */}
      <button type="submit" form="decision" disabled hidden />
      {decisions.length + withdrawn.length > 0 && (
        <>
          <h2>Decisions</h2>
          <ul class="plain">
            {decisions.map(({ id, domain, expected, why, by, at, until, on, closed }) => (
              <li key={id}>
                {expected ? "Expected" : "Not expected"} on {on}
                {domain && `, with everybody at ${domain}`}
                {until !== null && [" until ", <When key="until" at={until} />]}. Decided by {by},
                {" "}
                <When at={at} />
                {why && `: ${why}`}
                {closed !== null && ". A later run no longer lists this person"}{" "}
                <OperatorsOnly>
                  <button type="submit" form="decision" name="withdraw" value={id} class="quiet">
                    Withdraw
                  </button>
                </OperatorsOnly>
              </li>
            ))}
            {withdrawn.map(({ ended, expected, on, by, withdrawnBy }, at) => (
              <li key={at}>
                {expected ? "Expected" : "Not expected"} on {on}, decided by {by}: withdrawn by{" "}
                {withdrawnBy}, <When at={ended} />
              </li>
            ))}
          </ul>
        </>
      )}
      <OperatorsOnly>
        <Change name="Decide for several schedules…" field="on">
          <ActionForm id="decision" action={path} class="box stack panel">
            <Choice
              name="on"
              label="Schedules"
              options={[
                ["", "every schedule"],
                ...domain ? [["domain", `everybody at ${domain}`] as const] : [],
                ...rows.map(({ scheduleId, name }) => [`${scheduleId}`, name] as const),
              ]}
            />
            <Field name="until" label="Until (optional)" type="date" />
            <Field name="note" label="Reason" maxLength={500} />
            <PersonField />
            <div class="row">
              <button type="submit" name="expected" value="true">Expected</button>
              <button type="submit" name="expected" value="false" class="quiet">
                Not expected
              </button>
            </div>
            <p class="help">
              Docket only reads the service, so it can't remove a recipient. “Not expected” puts the
              person on the <a href="/people/worklist">worklist</a>{" "}
              until a run no longer lists them.
            </p>
          </ActionForm>
        </Change>
      </OperatorsOnly>
    </section>
  );
}
