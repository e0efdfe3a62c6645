/** Identifies recipients, and masks their addresses. */
import type { Recipient } from "../types.ts";

/** Identifies a recipient of a schedule by the user id, or else the address, or else the name. */
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

/** Masks an email address, such as `a…@example.com`; only an ellipsis if it is not an address. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 1) return "…";
  // By code point, so that no character is cut in half.
  const [first] = address;
  return `${first}…${address.slice(at)}`;
}

/** Masks the address of a recipient, or of a row with the same fields, and a name that is one. */
export function maskRecipient<
  Row extends { readonly displayName?: string | null; readonly emailAddress?: string | null },
>({ displayName, emailAddress, ...rest }: Row): Row {
  return {
    ...rest,
    displayName: displayName?.includes("@") ? maskAddress(displayName) : displayName,
    emailAddress: emailAddress && maskAddress(emailAddress),
  } as Row;
}

/** A local part, an at sign, perhaps percent-encoded, and a domain with a dot. */
const ADDRESS = /[^\s@<>()[\]{}"'`,;:/\\=&?]{1,64}(?:@|%40)(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}/giu;

/** Masks every email address in a text, such as an error message. */
export function maskAddresses(text: string): string {
  return text.replace(ADDRESS, maskAddress);
}
