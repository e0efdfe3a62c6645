/** Texts for display, where a service may send any length. */

/**
 * Cuts a text after some characters, never within one, and says so by an ellipsis.
 *
 * @param max The most UTF-16 code units that stay.
 * @returns The text, or its beginning and an ellipsis.
 *
 * @example
 * ```ts
 * import { shorten } from "./shorten.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals([shorten("abc", 3), shorten("abcd", 3)], ["abc", "abc…"]);
 * ```
 */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`;
}
