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
import { Change, Menu, separated } from "../../../components/ui/section.tsx";
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
        beside={
          <>
            <PersonFlags {...person} />
            {lastDay && (
              <ActionForm action={`/people/${person.id}`} class="actions">
                <Menu label="More: list of leavers">
                  <button type="submit" class="quiet" name="stays" value="true">
                    Take off the list of leavers
                  </button>
                </Menu>
              </ActionForm>
            )}
          </>
        }
        trail={PEOPLE_TRAIL}
      />
      <p id="person" class="help">
        {separated(
          addresses.map((address) => <Address key={address} address={address} />),
          " · formerly or also ",
        )}
        {typeof userId === "number" && userId > 0 && ` · user ${userId}`}
        {addresses.length > 0 && [" · ", <AddressSwitch key="addresses" anchor="person" />]}
      </p>
    </>
  );
}

export function ReceivedTable({ person, rows }: Pick<Loaded, "person" | "rows">) {
  return (
    <DataTable
      name="Schedules"
      caption="What this person received, with the first and the last run that shows it"
      columns={toColumns(person)}
      rows={rows}
    />
  );
}

const toColumns = (
  { id, isOutside, hasLeft }: Loaded["person"],
): readonly Column<Received>[] => [
  {
    name: "Schedule",
    cell: ({ scheduleId, name }) => (
      <>
        <a href={scheduleHref(scheduleId)}>{name}</a> <span class="small">{scheduleId}</span>
      </>
    ),
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
        (receiving && (isOutside || hasLeft)
          ? <ExpectedForm {...{ personId: id, scheduleId, name }} isInTable />
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
        <Change name="Decide…" field="on">
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
