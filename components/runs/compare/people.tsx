import { formatCount } from "../../../lib/format.ts";
import type { Recipient } from "../../../lib/types.ts";
import { Address } from "../recipients/address.tsx";
import { MAX_LISTED, shownName } from "../recipients/recipient_choices.ts";

/** Recipients who were added or removed; nothing if there are none. */
export function People({ name, people, addressesShown }: {
  readonly name: string;
  readonly people: readonly Recipient[];
  readonly addressesShown: boolean;
}) {
  if (people.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {people.slice(0, MAX_LISTED).map(({ userId, displayName, emailAddress }, at) => (
          <li key={at}>
            {(addressesShown ? displayName : shownName(displayName)) || `user ${userId ?? "?"}`}
            {", "}
            <Address address={emailAddress} shown={addressesShown} />
          </li>
        ))}
        {people.length > MAX_LISTED && <li>and {formatCount(people.length - MAX_LISTED)} more</li>}
      </ul>
    </>
  );
}
