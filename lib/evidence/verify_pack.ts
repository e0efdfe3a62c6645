/** Verifies packs as `sha256sum` and `openssl` do, and that all programs find the same files in them. */
import { createHash, verify } from "node:crypto";
import { readKey } from "./keys.ts";
import { type EvidenceManifest, FORMAT } from "./manifest.ts";
import { ensure, NotAPackError, openZip, type PackFile } from "./zip_files.ts";

/** The files of a pack, and the most bytes of each. */
const FILES = {
  "items.ndjson": 2 ** 32 - 2 ** 16,
  "manifest.json": 2 ** 24,
  "report.html": 2 ** 26,
  "SHA256SUMS": 512,
  "SHA256SUMS.sig": 64,
};

/** Whether a pack is as it was made by somebody with a trusted key, why, and what it then says. */
export type Verification = {
  readonly outcome: "intact" | "not intact" | "unknown key" | "no pack";
  readonly why: string;
  /** Whether it is intact, and its manifest says that it is complete. */
  readonly complete: boolean;
  readonly manifest?: EvidenceManifest;
};

/**
 * Verifies a pack offline, with public keys as PEM texts. It unpacks nothing unless a key signed the sums,
 * and keeps only the manifest in memory. Throws a ConfigurationError if a key is no Ed25519 public key.
 */
export async function verifyPack(
  pack: PackFile,
  trustedKeys: readonly string[],
): Promise<Verification> {
  const decoder = new TextDecoder();
  const keys = trustedKeys.map((pem) => readKey(pem, "PUBLIC KEY"));
  const failed = (outcome: Verification["outcome"], why: string) =>
    ({ outcome, why, complete: false }) as const;
  try {
    const files = await openZip(pack, FILES);
    const read = async (name: keyof typeof FILES) => {
      const parts: Uint8Array<ArrayBuffer>[] = [];
      for await (const part of files.get(name)!) parts.push(part);
      return new Uint8Array(await new Blob(parts).arrayBuffer());
    };
    const [sums, signature] = [await read("SHA256SUMS"), await read("SHA256SUMS.sig")];
    if (!keys.some((key) => verify(null, sums, key, signature))) {
      return failed("unknown key", "No key that you trust signed it");
    }
    const text = await read("manifest.json");
    const digests = await Promise.all(
      [files.get("items.ndjson")!, [text], files.get("report.html")!].map(digest),
    );
    const found = ["items.ndjson", "manifest.json", "report.html"]
      .map((name, at) => `${digests[at]}  ${name}\n`).join("");
    ensure(found === decoder.decode(sums), "Its files are not those that were signed");
    const manifest: EvidenceManifest = Object(JSON.parse(decoder.decode(text)));
    const { format, asked, service, made, docket, incomplete, proves } = manifest;
    const texts = [asked?.words, service, made, docket, proves].concat(incomplete);
    const isOfForm = format === FORMAT && texts.every((each) => typeof each === "string");
    ensure(isOfForm, `Its manifest is not of the form ${FORMAT}`);
    const complete = manifest.complete === true && incomplete.length === 0;
    return { outcome: "intact", why: "A key that you trust signed it", complete, manifest };
  } catch (error) {
    const { message } = error as Error;
    return failed(error instanceof NotAPackError ? "no pack" : "not intact", message);
  }
}

async function digest(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
