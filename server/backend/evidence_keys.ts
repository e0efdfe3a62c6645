/** The key that signs evidence: made once, stored sealed, and shared by all instances. */
import { generateKeyPair } from "../../lib/evidence/keys.ts";
import type { Sealing } from "../auth/sealing.ts";
import { ProblemError } from "../http/problem.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

/** The public key as PEM, and a function that unseals the private one; the first call makes them. */
export async function loadEvidenceKey({ service }: ObserverRecords, sealing: Sealing): Promise<{
  readonly publicKey: string;
  readonly unseal: () => Promise<string>;
}> {
  let { evidenceKey: stored } = await service.get();
  if (stored === null) {
    const { publicKey, privateKey } = generateKeyPair();
    const made = JSON.stringify({ publicKey, sealed: await sealing.seal(privateKey) });
    stored = await service.getOrStore("evidenceKey", made);
  }
  const { publicKey, sealed } = JSON.parse(stored);
  return {
    publicKey,
    async unseal() {
      const privateKey = await sealing.open(sealed);
      if (typeof privateKey === "string") return privateKey;
      throw new ProblemError(
        503,
        "The evidence key was sealed with another RECORDS_KEY: list that one in RECORDS_KEY as well",
      );
    },
  };
}
