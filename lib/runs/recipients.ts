/** What identifies a recipient, and the domain of an address. */
import type { Recipient } from "../types.ts";

/** What identifies a recipient of a schedule: the user id, or else the address, or the name. */
export function recipientKey({ userId, emailAddress, displayName }: Recipient): string {
  if (typeof userId === "number") return `user ${userId}`;
  if (emailAddress) return `address ${emailAddress.toLowerCase()}`;
  return `name ${displayName ?? ""}`;
}

/** The domain of an email address in lower case, or undefined if there is none. */
export function domainOf(address: string | null | undefined): string | undefined {
  const at = address?.lastIndexOf("@") ?? -1;
  return at >= 0 && address!.slice(at + 1).trim().toLowerCase() || undefined;
}
