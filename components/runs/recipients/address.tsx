import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { maskAddress } from "../../../lib/runs/recipients.ts";
import { MISSING } from "../../ui/moment.tsx";

/** Whether a page shows full addresses, which are masked unless the reader asks for them. */
export const AddressesShown = createContext(false);

export function Address({ address }: { readonly address: string | null | undefined }) {
  const isShown = useContext(AddressesShown);
  if (!address) return MISSING;
  return <>{isShown ? address : maskAddress(address)}</>;
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

/** Keeps addresses shown on the page that a form leads to. */
export function AddressesField() {
  return useContext(AddressesShown) && <input type="hidden" name="addresses" value="shown" />;
}
