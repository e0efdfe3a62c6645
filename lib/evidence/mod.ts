/**
 * Packs of evidence: lists as a service sent them, read twice, with a proof and a signature, in a ZIP
 * that an auditor verifies offline. docs/evidence.md describes the format; {@linkcode makePack} makes
 * packs, {@linkcode verifyPack} verifies them.
 *
 * ```ts
 * import { generateKeyPair, verifyPack } from "@docket/docket/evidence";
 *
 * const { publicKey } = await generateKeyPair();
 * const { outcome, findings } = await verifyPack(new Blob(["no pack"]), [publicKey]);
 * console.assert(outcome === "not a pack" && findings.length === 1);
 * ```
 *
 * @module
 */
export type { Backend, HistoryOptions, SearchOptions } from "../client/backend.ts";
export type { Actor } from "../judgement/actor.ts";
export { canonicalJson } from "./canonical_json.ts";
export { generateKeyPair, type KeyPair } from "./keys.ts";
export type { Coverage, EvidenceManifest, ListReading } from "./manifest.ts";
export type { EvidenceQuestion, ResolvedQuestion } from "./question.ts";
export type { EvidenceProgress, ReadOptions, ReadTwiceOptions } from "./read_twice.ts";
export { type Verification, verifyPack } from "./verify_pack.ts";
export { type EvidenceOptions, type EvidencePack, makePack } from "./write_pack.ts";
export type { RandomAccessFile } from "./zip_files.ts";
