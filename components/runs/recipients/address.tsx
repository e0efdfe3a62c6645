import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { maskAddress } from "../../../lib/runs/recipients.ts";
import { MISSING } from "../../ui/moment.tsx";

/** Whether a page shows whole addresses. They are masked unless the reader asked to see them. */
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

/** The field of a form whose page shows addresses if this one does. */
export function AddressesField() {
  return useContext(AddressesShown) && <input type="hidden" name="addresses" value="shown" />;
}
