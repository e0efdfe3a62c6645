import { createHash, timingSafeEqual } from "node:crypto";

/** Whether two secrets are equal, in a time that does not depend on where they differ. */
export function sameSecret(a: string, b: string): boolean {
  return secretMatcher(a)(b);
}

/** Tells whether texts are that secret, which is hashed only once. */
export function secretMatcher(secret: string): (text: string) => boolean {
  const expected = digest(secret);
  return (text) => timingSafeEqual(expected, digest(text));
}

/** Digests have the same length, as the comparison requires. */
function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
