import { createHash, timingSafeEqual } from "node:crypto";

/** Whether two secrets are equal, in a time that does not depend on where they differ. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digestOf(a), digestOf(b));
}

/** Digests are equally long, as the comparison requires. */
function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
