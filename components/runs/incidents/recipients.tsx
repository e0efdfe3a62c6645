import { Section } from "../../ui/section.tsx";
import { formatCount } from "../../../lib/format.ts";
import { recipientName } from "../../../lib/runs/recipient_names.ts";
import type { StatusMeaning } from "../../../lib/runs/status.ts";
import type { Recipient } from "../../../lib/types.ts";

const MAX_NAMES = 12;

const HEADINGS: Readonly<Record<StatusMeaning, string>> = {
  good: "Got it",
  bad: "Did not get it",
  // Nobody knows yet whether they got it.
  pending: "Recipients",
  unknown: "Recipients",
};

/** Whom a run is for: who did not get it, or who did. */
export function Recipients({ people, meaning, href }: {
  readonly people: readonly Recipient[];
  readonly meaning: StatusMeaning;
  readonly href: string;
}) {
  if (people.length === 0) return null;
  return (
    <Section id="recipients" title={HEADINGS[meaning]} more={[href, "All recipients"]}>
      <ul class="plain">
        {people.slice(0, MAX_NAMES).map((person, at) => (
          <li key={at}>{recipientName(person, false)}</li>
        ))}
        {people.length > MAX_NAMES && <li>and {formatCount(people.length - MAX_NAMES)} more</li>}
      </ul>
    </Section>
  );
}
