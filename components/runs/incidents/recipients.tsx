import { Section } from "../../ui/section.tsx";
import { formatCount } from "../../../lib/format.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { canonicalDomain } from "../../../lib/runs/look_alike.ts";
import { domainOf, recipientName } from "../../../lib/runs/recipients.ts";
import type { StatusMeaning } from "../../../lib/runs/status.ts";
import type { Recipient } from "../../../lib/types.ts";

const MAX_NAMES = 12;

export const HEADINGS: Readonly<Record<StatusMeaning, string>> = {
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
  const named = people.map((person) => ({
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
        {people.length > MAX_NAMES && <li>and {formatCount(people.length - MAX_NAMES)} more</li>}
      </ul>
    </Section>
  );
}
