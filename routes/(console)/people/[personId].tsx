import { useContext } from "preact/hooks";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { DecisionForm } from "../../../components/runs/people/decision_form.tsx";
import { LeftOut } from "../../../components/runs/people/left_out.tsx";
import { PersonFlags } from "../../../components/runs/people/person_flags.tsx";
import {
  Address,
  AddressesShown,
  AddressSwitch,
} from "../../../components/runs/recipients/address.tsx";
import { recipientName } from "../../../lib/runs/recipient_names.ts";
import { RunMoment, scheduleHref } from "../../../components/runs/run_links.tsx";
import { ExpectedForm } from "../../../components/runs/people/expected_form.tsx";
import { ForActing } from "../../../components/ui/reader.tsx";
import { type Column, DataTable } from "../../../components/ui/data_table.tsx";
import { LoneMoment } from "../../../components/ui/moment.tsx";
import { actorText } from "../../../lib/judgement/actor.ts";
import { formatCount, formatCountOf, wholeNumber } from "../../../lib/format.ts";
import type { Recipient } from "../../../lib/types.ts";
import { addDays, startOfDay } from "../../../lib/days.ts";
import { actionServices } from "../../../server/actions/action_services.ts";
import {
  decideRecipient,
  type RecipientDecision,
  withdrawDecision,
} from "../../../server/actions/decide_recipient.ts";
import { coverageText } from "../../../server/schedules/coverage.ts";
import { readPersonName } from "../../../server/http/cookies.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import { formActor, redirectWithNotice, rememberName } from "../_actions.ts";
import type { RequestState } from "../../_middleware.ts";
import { recordsOf } from "../../../server/pages/page_request.ts";
import { PEOPLE_PATH } from "../../../components/runs/run_links.tsx";
import {
  countPending,
  namesOf,
  peopleContext,
  shownPeople,
} from "../../../server/pages/people_page.ts";
import { handler, page } from "./$[personId].ts";

const MAX_SCHEDULES = 200;

export const handlers = handler({
  async GET(ctx) {
    const typed = new URLSearchParams({ name: readPersonName(ctx.req.headers) });
    return { data: await loadPerson(ctx.state, ctx.params.personId, typed) };
  },

  async POST(ctx) {
    const { preferences: { zone }, origin } = ctx.state;
    const form = await readFormBody(ctx.req);
    const personId = wholeNumber(ctx.params.personId) ?? -1;
    const actor = formActor(ctx.state, form);
    const decisionId = wholeNumber(form.get("withdraw") ?? "");
    const until = decisionId === null ? untilOf(form.get("until") ?? "", zone) : null;
    const issue = actor === null ? "name" : until === undefined ? "until" : null;
    if (actor === null || until === undefined) {
      return { data: await loadPerson(ctx.state, ctx.params.personId, form, issue), status: 400 };
    }
    const [services, acting] = [actionServices(ctx.state), { actor, now: Date.now() }];
    if (decisionId === null) {
      const expected = form.get("expected") === "true";
      const note = form.get("note") ?? "";
      const on = choiceOf(form.get("on") ?? "");
      await decideRecipient(services, { personId, expected, on, note, until }, acting);
    } else await withdrawDecision(services, { personId, decisionId }, acting);
    const next = safeRedirectPath(form.get("next") ?? `/people/${personId}`);
    const response = redirectWithNotice(ctx, next, "decided");
    return rememberName(response, form, origin);
  },
});

/** What a decision is about: everybody at the domain, one schedule, or all of them. */
function choiceOf(on: string): RecipientDecision["on"] {
  return on === "domain" ? on : wholeNumber(on) ?? "all";
}

async function loadPerson(
  { services, preferences: { zone } }: Pick<RequestState, "services" | "preferences">,
  personId: string,
  typed: URLSearchParams,
  issue: "name" | "until" | null = null,
) {
  const records = recordsOf(services);
  await countPending(records);
  const context = await peopleContext(records, services);
  const { stored, receipts } = await personOf(records, personId);
  const [[person], listings, others, nameOf, decisions, retainedSince, unknown] = await Promise.all(
    [
      shownPeople(records, [stored], context),
      records.people.listings(stored.id),
      records.people.othersAt(stored.id),
      namesOf(records, receipts.map(({ scheduleId }) => scheduleId)),
      records.recipientDecisions.of([stored.id], [stored.domain ?? ""], context.now),
      records.retention.retainedSince(),
      records.statuses.unknown(),
    ],
  );
  const decidedOn = (scheduleId: number) => {
    const one = decisions.find((each) =>
      each.closed === null && (each.scheduleId ?? scheduleId) === scheduleId
    );
    return one && (one.expected === 1 ? "Expected" : "Not expected");
  };
  const rows = await Promise.all(
    receipts.slice(0, MAX_SCHEDULES).map(async (receipt) => ({
      ...receipt,
      name: nameOf(receipt.scheduleId),
      firstRun: await records.people.runAt(receipt.scheduleId, receipt.first),
      lastRun: await records.people.runAt(receipt.scheduleId, receipt.last),
      decision: decidedOn(receipt.scheduleId),
      // Older runs were removed: they may have listed the person too.
      isAtLeast: retainedSince !== undefined && receipt.fromStart === 1,
    })),
  );
  const addresses = listings.flatMap((json) => (JSON.parse(json) as Recipient).emailAddress || []);
  return {
    person,
    unknown,
    known: await coverageText(records, zone),
    domain: stored.domain,
    addresses: [...new Set(addresses)],
    others,
    rows,
    more: receipts.length - rows.length,
    decisions: decisions.map((decision) => ({
      ...decision,
      on: decision.scheduleId === null ? "every schedule" : nameOf(decision.scheduleId),
    })),
    typed,
    issue,
  };
}

async function personOf({ people }: ObserverRecords, personId: string) {
  const stored = await people.get(wholeNumber(personId) ?? -1);
  if (!stored) throw new ProblemError(404, "There is no such person");
  return { stored, receipts: await people.receipts([stored.id]) };
}

/** The end of a day in the reader's zone; null for no day, undefined if it is invalid or over. */
function untilOf(day: string, zone: string): number | null | undefined {
  if (day === "") return null;
  const end = startOfDay(day, zone) && startOfDay(addDays(day, 1), zone);
  return end && end > Date.now() ? end : undefined;
}

type Row = Awaited<ReturnType<typeof loadPerson>>["rows"][number];

export default page(({ data }) => {
  const { person, domain, addresses, others, rows, more, decisions, typed, issue } = data;
  const isShown = useContext(AddressesShown);
  const name = recipientName(person.recipient, isShown);
  const { userId } = person.recipient;
  const momentOf = (at: number) => <LoneMoment at={at} />;
  return (
    <>
      <PageHeader title={name} path={PEOPLE_PATH} />
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
      <DataTable
        name="Schedules"
        caption="What this person received, with the first and the last run that shows it"
        columns={columnsOf(person.id)}
        rows={rows}
        keyOf={({ scheduleId }) => scheduleId}
      />
      {more > 0 && <p class="help">and {formatCountOf(more, "more schedule", "more schedules")}</p>}
      <p class="help">{data.known}.</p>
      <LeftOut unknown={data.unknown} />
      <h2>Timeline</h2>
      <ol class="timeline plain">
        {eventsOf(rows).map(({ at, run, scheduleId, words }) => (
          <li key={`${scheduleId} ${at} ${words}`}>
            <RunMoment at={at} run={run} scheduleId={scheduleId} />
            <span>{words}</span>
          </li>
        ))}
      </ol>
      <section id="decide">
        {/* Keeps Enter from withdrawing the first decision. */}
        <button type="submit" form="decision" disabled hidden />
        {decisions.length > 0 && (
          <>
            <h2>Decisions</h2>
            <ul>
              {decisions.map(({ id, domain, expected, why, actor, at, until, on, closed }) => (
                <li key={id}>
                  {expected ? "Expected" : "Not expected"} on {on}
                  {domain && `, with everybody at ${domain}`}
                  {until !== null && <>{" "}until {momentOf(until)}</>}. Decided by{" "}
                  {actorText(actor)}, {momentOf(at)}
                  {why && `: ${why}`}
                  {closed !== null && ". A later run no longer lists this person"}{" "}
                  <ForActing>
                    <button type="submit" form="decision" name="withdraw" value={id} class="quiet">
                      Withdraw
                    </button>
                  </ForActing>
                </li>
              ))}
            </ul>
          </>
        )}
        <ForActing>
          <details class="change" open={issue !== null}>
            <summary class="button">Decide for several schedules…</summary>
            <DecisionForm
              path={`/people/${person.id}`}
              domain={person.isOutside ? domain : null}
              schedules={rows.map(({ scheduleId, name }) => ({ scheduleId, name }))}
              typed={typed}
              issue={issue}
            />
          </details>
        </ForActing>
      </section>
    </>
  );
});

const columnsOf = (personId: number): readonly Column<Row>[] => [
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

function eventsOf(rows: readonly Row[]) {
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
