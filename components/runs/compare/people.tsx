import { useContext } from "preact/hooks";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { RunComparison } from "../../../lib/runs/compare.ts";
import type { Recipient } from "../../../lib/types.ts";
import { Address, AddressesShown } from "../recipients/address.tsx";
import { MAX_LISTED, shownName } from "../recipients/recipient_choices.ts";

/** How the recipients of two runs or periods differ, with those who were added and removed. */
export function RecipientChanges({ kept, added, removed, moved = [] }: {
  readonly kept: number;
  readonly added: readonly Recipient[];
  readonly removed: readonly Recipient[];
  /** Those in both whose address changed. */
  readonly moved?: NonNullable<RunComparison["changedAddresses"]>;
}) {
  const isShown = useContext(AddressesShown);
  return (
    <>
      <p>
        {formatCountOf(kept, "recipient", "recipients")} in both, {formatCount(added.length)} added,
        {" "}
        {formatCount(removed.length)} removed.
      </p>
      <People name="Added" people={added} />
      <People name="Removed" people={removed} />
      {moved.length > 0 && (
        <>
          <h3>Address changed</h3>
          <ul>
            {moved.slice(0, MAX_LISTED).map(({ before, after }, at) => (
              <li key={at}>
                {nameOf(after, isShown)}, from <Address address={before.emailAddress} /> to{" "}
                <Address address={after.emailAddress} />
              </li>
            ))}
            {moved.length > MAX_LISTED && (
              <li>and {formatCount(moved.length - MAX_LISTED)} more</li>
            )}
          </ul>
        </>
      )}
    </>
  );
}

function nameOf({ userId, displayName }: Recipient, isShown: boolean): string {
  return shownName(displayName, isShown) || `user ${userId ?? "?"}`;
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
        {people.slice(0, MAX_LISTED).map((person, at) => (
          <li key={at}>
            {nameOf(person, isShown)}, <Address address={person.emailAddress} />
          </li>
        ))}
        {people.length > MAX_LISTED && <li>and {formatCount(people.length - MAX_LISTED)} more</li>}
      </ul>
    </>
  );
}
