/** Email addresses for showing to those who did not ask for them. */

/**
 * An email address masked: its first letter and its domain.
 *
 * @param address The address.
 * @returns Such as `a…@example.com`; an ellipsis alone where it is no address.
 *
 * @example
 * ```ts
 * import { maskAddress } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(maskAddress("amara@example.com"), "a…@example.com");
 * ```
 */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 1) return "…";
  // By code point, so that no letter is cut in half.
  const [first] = address;
  return `${first}…${address.slice(at)}`;
}

/** A local part, an at sign, also percent-encoded, and a domain with a dot. */
const ADDRESS = /[^\s@<>()[\]{}"'`,;:/\\=&?]{1,64}(?:@|%40)(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}/giu;

/**
 * A text of somebody else's, such as an error's, with every email address in it masked.
 *
 * @param text The text.
 * @returns The same text, with each address as {@linkcode maskAddress} shows it.
 *
 * @example
 * ```ts
 * import { maskAddresses } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const said = "Mail to <amara@example.com> failed";
 * assertEquals(maskAddresses(said), "Mail to <a…@example.com> failed");
 * ```
 */
export function maskAddresses(text: string): string {
  return text.replace(ADDRESS, maskAddress);
}
