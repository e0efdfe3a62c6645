import { maskAddress } from "../../../lib/runs/mask.ts";
import { MISSING } from "../../ui/moment.tsx";

/** An email address, masked unless the reader asked to see it. */
export function Address({ address, shown }: {
  readonly address: string | null | undefined;
  readonly shown: boolean;
}) {
  if (!address) return MISSING;
  return <>{shown ? address : maskAddress(address)}</>;
}

/** A link that shows or masks the addresses of a page. */
export function AddressSwitch({ shown, anchor, params = "" }: {
  readonly shown: boolean;
  readonly anchor: string;
  /** The other query parameters of the page. */
  readonly params?: string;
}) {
  const query = new URLSearchParams(params);
  if (!shown) query.set("addresses", "shown");
  return <a href={`?${query}#${anchor}`}>{shown ? "Mask addresses" : "Show addresses"}</a>;
}
