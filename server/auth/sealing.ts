/** Seals values, which only holders of a key can read or make, and compares secrets. */
import { createHash, hkdfSync, timingSafeEqual } from "node:crypto";
import { defaults, type password, seal, unseal } from "iron-webcrypto";

/** Values that expire contain a time themselves. */
const OPTIONS = { ...defaults, ttl: 0 };

export type Sealing = ReturnType<typeof createSealing>;

/** Seals with the first key and opens with any, so that keys can be rotated. */
export function createSealing(keys: readonly string[]) {
  const derived = keys.map(deriveKeys);
  const newest = derived[0];
  const secrets: password.Hash = Object.fromEntries(derived.map((keys) => [keys.id, keys]));
  return {
    /** Seals a JSON value; the result has URL-safe characters only. */
    seal: (value: unknown): Promise<string> => seal(value, newest, OPTIONS),
    /** Whether the first key sealed a value: its second part names the key. */
    isByFirstKey: (sealed: string): boolean => sealed.split("*")[1] === newest.id,
    /** What was sealed; undefined if it was changed, or sealed with an unknown key. */
    async open(sealed: string): Promise<unknown> {
      try {
        return await unseal(sealed, secrets, OPTIONS);
      } catch {
        return undefined;
      }
    },
  };
}

/** Derived once from a secret: given the secret itself, the package would do so for each value. */
function deriveKeys(secret: string) {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync("sha256", secret, "", `docket ${purpose}`, 32));
  const [encryption, integrity] = ["encryption", "integrity"].map(derive);
  // It identifies the key without revealing it: sealed values contain it.
  const id = createHash("sha256").update(`derived ${secret}`).digest("hex").slice(0, 16);
  return { id, encryption, integrity };
}

/** Whether two secrets are equal, in a time that does not depend on where they differ. */
export function sameSecret(a: string, b: string): boolean {
  // Digests are equally long, as the comparison requires.
  const [first, second] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(first, second);
}
