import { timingSafeEqual } from "node:crypto";

/** Whether two secrets are equal, in a time that does not depend on where they differ. */
export function sameSecret(a: string, b: string): boolean {
  return secretMatcher(a)(b);
}

/** Tells whether texts are that secret. */
export function secretMatcher(secret: string): (text: string) => boolean {
  const length = Math.max(MIN_BYTES, encoder.encode(secret).length);
  const expected = padded(secret, length);
  // A text that was cut off is longer than the secret, or differs before.
  return (text) => timingSafeEqual(expected, padded(text, length)) && text.length === secret.length;
}

/** Secrets up to this length, in bytes, can't be told apart by the time either. */
const MIN_BYTES = 256;

const encoder = new TextEncoder();

/** The beginning of a text in bytes, with zeros behind it: the comparison requires equal lengths. */
function padded(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  encoder.encodeInto(text, bytes);
  return bytes;
}
