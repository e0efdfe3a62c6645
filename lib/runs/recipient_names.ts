/** How recipients are named, with addresses masked unless asked for. */
import type { Recipient } from "../types.ts";
import { maskAddress } from "./recipients.ts";

/** The name of a recipient, or else the address, masked unless asked for, or the user id. */
export function recipientName(
  { displayName, emailAddress, userId }: Recipient,
  addressesShown: boolean,
): string {
  const name = shownName(displayName, addressesShown);
  const address = emailAddress && (addressesShown ? emailAddress : maskAddress(emailAddress));
  return name || address || (typeof userId === "number" ? `user ${userId}` : "somebody");
}

/** The display name. Some services put an email address there, which is masked too. */
export function shownName(name: string | null | undefined, addressesShown = false): string {
  return name?.includes("@") && !addressesShown ? maskAddress(name) : name?.trim() ?? "";
}
