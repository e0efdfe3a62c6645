import { formatCount } from "../../../lib/format.ts";
import { recipientName } from "../../../lib/runs/recipient_names.ts";
import type { Recipient } from "../../../lib/types.ts";

const MAX_NAMES = 12;

/** Whom the runs of an incident are for: who did not get it, or who did. */
export function Recipients({ people, wasSent, href }: {
  readonly people: readonly Recipient[];
  readonly wasSent: boolean;
  readonly href: string;
}) {
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="recipients">
      <div class="heading">
        <h2 id="recipients">{wasSent ? "Got it" : "Did not get it"}</h2>
        <a href={href}>All recipients</a>
      </div>
      <ul class="plain">
        {people.slice(0, MAX_NAMES).map((person, at) => (
          <li key={at}>{recipientName(person, false)}</li>
        ))}
        {people.length > MAX_NAMES && <li>and {formatCount(people.length - MAX_NAMES)} more</li>}
      </ul>
    </section>
  );
}
