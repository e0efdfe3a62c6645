import { timingSafeEqual } from "node:crypto";

/** Whether two secrets are equal, in a time that tells nothing about where they differ. */
export async function sameSecret(a: string, b: string): Promise<boolean> {
  const [digestA, digestB] = await Promise.all([digest(a), digest(b)]);
  return timingSafeEqual(digestA, digestB);
}

/** Digests are of one length, whatever the secrets' lengths. */
async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
