/** Packs for tests, taken apart and put together again. */
import { unzipSync, zipSync } from "fflate";
import { createHash } from "node:crypto";
import { createClient } from "../../../lib/mod.ts";
import { canonicalJson } from "../../../lib/evidence/canonical_json.ts";
import { signerOf } from "../../../lib/evidence/keys.ts";
import {
  type EvidenceManifest,
  type EvidenceOptions,
  type EvidenceQuestion,
  generateKeyPair,
  makePack,
} from "../../../lib/evidence/mod.ts";
import { createTestService, type TestServiceOptions } from "../../../lib/testing/mod.ts";

export const SERVICE = "https://service.example";

/** The key of the packs, and one that nobody trusts. */
export const KEY = await generateKeyPair();
export const OTHER_KEY = await generateKeyPair();

export interface MadePack {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly manifest: EvidenceManifest;
}

/** Makes a pack from a service in memory. */
export async function packOf(
  question: EvidenceQuestion,
  service: TestServiceOptions,
  options: Partial<EvidenceOptions> = {},
): Promise<MadePack> {
  const { fetch } = createTestService(service);
  const client = createClient({ baseUrl: SERVICE, token: "secret-token", fetch });
  const { stream, manifest } = makePack(client, question, {
    service: SERVICE,
    docket: "0.1.0",
    key: KEY.privateKey,
    ...options,
  });
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return { bytes, manifest: (await manifest)! };
}

export type Files = Record<string, Uint8Array>;

export function filesOf(pack: Uint8Array): Files {
  return unzipSync(pack);
}

export function textIn(files: Files, name: string): string {
  return new TextDecoder().decode(files[name]);
}

export function put(files: Files, name: string, text: string): Files {
  return { ...files, [name]: new TextEncoder().encode(text) };
}

export function zipOf(files: Files): Uint8Array<ArrayBuffer> {
  return zipSync(files, { level: 1 });
}

/** A manifest with some members changed and the digests of the files as they are now. */
export function restated(files: Files, change: (manifest: EvidenceManifest) => object): Files {
  const manifest = JSON.parse(textIn(files, "manifest.json")) as EvidenceManifest;
  const digests = Object.entries(manifest.files).map(([name, file]) => [
    name,
    files[name]
      ? {
        size: files[name].length,
        sha256: createHash("sha256").update(files[name]).digest("hex"),
      }
      : file,
  ]);
  const changed = { ...manifest, files: Object.fromEntries(digests), ...change(manifest) };
  return put(files, "manifest.json", canonicalJson(changed));
}

export async function signed(files: Files, { privateKey } = KEY): Promise<Files> {
  return put(files, "signature.json", await (await signerOf(privateKey))(files["manifest.json"]));
}
