/**
 * E-mail addresses for showing to those who did not ask for them.
 *
 * @module
 */

/**
 * An e-mail address masked: its first letter and its domain.
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
