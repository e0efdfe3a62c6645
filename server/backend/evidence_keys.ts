/** The keys that sign evidence packs: created once, stored sealed, and shared by all instances. */
import { generateKeyPair } from "../../lib/evidence/mod.ts";
import type { Sealing } from "../auth/sealing.ts";
import { ProblemError } from "../http/problem.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import { replaceText, setText } from "../store/observer/values.ts";

/** A stored key; times are milliseconds since 1970. */
interface EvidenceKey {
  readonly publicKey: string;
  readonly made: number;
  /** When another key replaced it. */
  readonly retired?: number;
}

interface SealedEvidenceKey extends EvidenceKey {
  readonly sealed: string;
}

export const EVIDENCE_KEY = "evidence-key";
const RETIRED = "evidence-key-retired/";

/** The key that signs now; the first call creates one. */
export async function currentEvidenceKey(
  { values }: ObserverRecords,
  sealing: Sealing,
  now: number,
): Promise<EvidenceKey & { readonly privateKey: string }> {
  const stored = await values.text(EVIDENCE_KEY) ??
    await values.getOrStoreText(EVIDENCE_KEY, JSON.stringify(await newKey(sealing, now)));
  const { sealed, ...key }: SealedEvidenceKey = JSON.parse(stored);
  const privateKey = await sealing.open(sealed);
  if (typeof privateKey === "string") return { ...key, privateKey };
  throw new ProblemError(
    503,
    "The evidence key was sealed with another RECORDS_KEY: set that one as well, or retire the key",
  );
}

/** All public keys: the current one, then the retired ones, newest first. */
export async function publicEvidenceKeys({ values }: ObserverRecords): Promise<EvidenceKey[]> {
  const current = await values.text(EVIDENCE_KEY);
  const retired = await values.beginningWith(RETIRED);
  return [...current ? [current] : [], ...retired.map(({ text }) => text).reverse()]
    .map((text) => JSON.parse(text))
    .map(({ publicKey, made, retired }) => ({ publicKey, made, ...(retired && { retired }) }));
}

/** Replaces the current key by a new one; false if another process just did. */
export async function retireEvidenceKey(
  { values, commit }: ObserverRecords,
  sealing: Sealing,
  now: number,
): Promise<boolean> {
  const text = await values.text(EVIDENCE_KEY);
  const next = { number: 0, text: JSON.stringify(await newKey(sealing, now)) };
  const { sealed: _, ...key } = JSON.parse(text ?? "{}");
  return await commit([
    replaceText(EVIDENCE_KEY, text === undefined ? null : { number: 0, text }, next),
    ...text === undefined
      ? []
      : [setText(`${RETIRED}${now}`, JSON.stringify({ ...key, retired: now }))],
  ]);
}

async function newKey(sealing: Sealing, made: number): Promise<SealedEvidenceKey> {
  const { privateKey, publicKey } = await generateKeyPair();
  return { publicKey, made, sealed: await sealing.seal(privateKey) };
}
