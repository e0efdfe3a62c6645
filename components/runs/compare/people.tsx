import { useContext } from "preact/hooks";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Recipient } from "../../../lib/types.ts";
import { Address, AddressesShown } from "../recipients/address.tsx";
import { MAX_LISTED, shownName } from "../recipients/recipient_choices.ts";

/** How the recipients of two runs or periods differ, with those who were added and removed. */
export function RecipientChanges({ kept, added, removed }: {
  readonly kept: number;
  readonly added: readonly Recipient[];
  readonly removed: readonly Recipient[];
}) {
  return (
    <>
      <p>
        {formatCountOf(kept, "recipient", "recipients")} in both, {formatCount(added.length)} added,
        {" "}
        {formatCount(removed.length)} removed.
      </p>
      <People name="Added" people={added} />
      <People name="Removed" people={removed} />
    </>
  );
}

/** Recipients who were added or removed; nothing if there are none. */
function People({ name, people }: {
  readonly name: string;
  readonly people: readonly Recipient[];
}) {
  const isShown = useContext(AddressesShown);
  if (people.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {people.slice(0, MAX_LISTED).map(({ userId, displayName, emailAddress }, at) => (
          <li key={at}>
            {shownName(displayName, isShown) || `user ${userId ?? "?"}`}
            {", "}
            <Address address={emailAddress} />
          </li>
        ))}
        {people.length > MAX_LISTED && <li>and {formatCount(people.length - MAX_LISTED)} more</li>}
      </ul>
    </>
  );
}
