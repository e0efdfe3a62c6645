import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Recipient } from "../../../lib/types.ts";
import { Address } from "../recipients/address.tsx";
import { MAX_LISTED, shownName } from "../recipients/recipient_choices.ts";

/** How the recipients of two runs or periods differ, with those who were added and removed. */
export function RecipientChanges({ kept, added, removed, addressesShown }: {
  readonly kept: number;
  readonly added: readonly Recipient[];
  readonly removed: readonly Recipient[];
  readonly addressesShown: boolean;
}) {
  return (
    <>
      <p>
        {formatCountOf(kept, "recipient", "recipients")} in both, {formatCount(added.length)} added,
        {" "}
        {formatCount(removed.length)} removed.
      </p>
      <People name="Added" people={added} addressesShown={addressesShown} />
      <People name="Removed" people={removed} addressesShown={addressesShown} />
    </>
  );
}

/** Recipients who were added or removed; nothing if there are none. */
function People({ name, people, addressesShown }: {
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
