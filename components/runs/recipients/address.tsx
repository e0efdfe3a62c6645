import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { maskAddress, recipientName } from "../../../lib/runs/recipients.ts";
import { MISSING } from "../../ui/moment.tsx";
import type { Recipient } from "../../../lib/types.ts";

/** Whether a page shows full addresses, which are masked unless the reader asks for them. */
export const AddressesShown = createContext(false);

export function Address({ address }: { readonly address: string | null | undefined }) {
  const isShown = useContext(AddressesShown);
  if (!address) return MISSING;
  return <>{isShown ? address : maskAddress(address)}</>;
}

/** The name of a person, and below it the address, unless that is the name. */
export function PersonName({ recipient, href }: {
  readonly recipient: Recipient;
  readonly href?: string;
}) {
  const isShown = useContext(AddressesShown);
  const { emailAddress } = recipient;
  const name = recipientName(recipient, isShown);
  const address = emailAddress && recipientName({ emailAddress }, isShown);
  return (
    <>
      {href ? <a href={href}>{name}</a> : name}
      {address && address !== name && [" ", <small key="address">{address}</small>]}
    </>
  );
}

export function AddressSwitch({ anchor, params = "" }: {
  readonly anchor: string;
  readonly params?: string;
}) {
  const isShown = useContext(AddressesShown);
  const query = new URLSearchParams(params);
  if (!isShown) query.set("addresses", "shown");
  return <a href={`?${query}#${anchor}`}>{isShown ? "Mask addresses" : "Show addresses"}</a>;
}
