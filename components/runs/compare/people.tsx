import type { ComponentChildren } from "preact";
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
  readonly moved?: NonNullable<RunComparison["changedAddresses"]>;
}) {
  const isShown = useContext(AddressesShown);
  const nameOf = ({ userId, displayName }: Recipient) =>
    shownName(displayName, isShown) || `user ${userId ?? "?"}`;
  const lineOf = (person: Recipient) => (
    <>
      {nameOf(person)}, <Address address={person.emailAddress} />
    </>
  );
  return (
    <>
      <p>
        {formatCountOf(kept, "recipient", "recipients")} in both, {formatCount(added.length)} added,
        {" "}
        {formatCount(removed.length)} removed.
      </p>
      <Listed name="Added" items={added.map(lineOf)} />
      <Listed name="Removed" items={removed.map(lineOf)} />
      <Listed
        name="Address changed"
        items={moved.map(({ before, after }) => (
          <>
            {nameOf(after)}, from <Address address={before.emailAddress} /> to{" "}
            <Address address={after.emailAddress} />
          </>
        ))}
      />
    </>
  );
}

function Listed({ name, items }: {
  readonly name: string;
  readonly items: readonly ComponentChildren[];
}) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {items.slice(0, MAX_LISTED).map((item, at) => <li key={at}>{item}</li>)}
        {items.length > MAX_LISTED && <li>and {formatCount(items.length - MAX_LISTED)} more</li>}
      </ul>
    </>
  );
}
