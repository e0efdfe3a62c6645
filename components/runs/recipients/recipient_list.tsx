import { Section } from "../../ui/section.tsx";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { canonicalDomain } from "../../../lib/runs/look_alike.ts";
import {
  claimedCount,
  countListed,
  domainOf,
  listedPeople,
  recipientName,
} from "../../../lib/runs/recipients.ts";
import type { StatusMeaning } from "../../../lib/runs/status.ts";
import type { Recipient, ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/list.tsx";
import { AddressSwitch, PersonName } from "./address.tsx";
import { MAX_LISTED } from "./recipient_choices.ts";

const MAX_NAMES = 12;

const HEADINGS: Readonly<Record<StatusMeaning, string>> = {
  good: "Got it",
  bad: "Did not get it",
  // Nobody knows yet whether they got it.
  pending: "Recipients",
  unknown: "Recipients",
};

/** Whom a run is for: who did not get it, or who did. Those outside come first. */
export function Recipients({ people, meaning, reasons, href }: {
  readonly people: readonly Recipient[];
  readonly meaning: StatusMeaning;
  /** What is wrong, which may be a domain outside. */
  readonly reasons: readonly Reason[];
  readonly href: string;
}) {
  if (people.length === 0) return null;
  const domains = reasons.flatMap((reason) =>
    reason.code === "outside-recipient" ? reason.domain : []
  );
  const named = listedPeople(people).map((person) => ({
    name: recipientName(person, false),
    isOutside: domains.includes(canonicalDomain(domainOf(person.emailAddress) ?? "")),
  })).sort((a, b) => Number(b.isOutside) - Number(a.isOutside));
  return (
    <Section id="recipients" title={HEADINGS[meaning]} more={<a href={href}>All recipients</a>}>
      <ul class="plain">
        {named.slice(0, MAX_NAMES).map(({ name, isOutside }, at) => (
          <li key={at}>
            {name}
            {isOutside && <strong class="status bad">, outside</strong>}
          </li>
        ))}
        {named.length > MAX_NAMES && <li>and {formatCount(named.length - MAX_NAMES)} more</li>}
      </ul>
    </Section>
  );
}

const SHOWN = 20;

const COLUMNS: readonly Column<Recipient>[] = [
  { name: "Person", cell: (recipient) => <PersonName recipient={recipient} /> },
  // Of somebody forgotten, it is below 0 and none of the service.
  { name: "User id", kind: "number", cell: ({ userId }) => Number(userId) > 0 ? userId : null },
];

export function RecipientList({ run, meaning }: {
  readonly run: ReportRun;
  readonly meaning: StatusMeaning;
}) {
  const recipients = run.recipients ?? [];
  const claimed = claimedCount(run);
  const rest = recipients.slice(SHOWN, MAX_LISTED);
  return (
    <Section
      id="recipients"
      title={HEADINGS[meaning]}
      more={recipients.length > 0 && <AddressSwitch anchor="recipients" />}
    >
      {claimed !== null && (
        <p class="help">
          {formatCount(countListed(run) ?? 0)} listed; the service counts {formatCount(claimed)}.
        </p>
      )}
      <DataTable
        name="Recipients of this run"
        class="few"
        columns={COLUMNS}
        rows={recipients.slice(0, SHOWN)}
        empty={run.recipients
          ? "Nobody is listed."
          : "The service does not list the recipients of this run."}
      />
      {rest.length > 0 && (
        <details>
          <summary>{formatCountOf(rest.length, "more recipient", "more recipients")}</summary>
          <DataTable name="More recipients" class="few" columns={COLUMNS} rows={rest} />
        </details>
      )}
      {recipients.length > MAX_LISTED && (
        <p class="help">
          Only the first {formatCount(MAX_LISTED)}{" "}
          are listed; an export of the runs as JSON has all of them.
        </p>
      )}
    </Section>
  );
}
