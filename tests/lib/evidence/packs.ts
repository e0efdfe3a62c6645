/** Packs for tests, taken apart and put together again. */
import { unzipSync, zipSync } from "fflate";
import { createHash, createPrivateKey, sign } from "node:crypto";
import { createClient } from "../../../lib/mod.ts";
import { generateKeyPair } from "../../../lib/evidence/keys.ts";
import type { EvidenceQuestion } from "../../../lib/evidence/manifest.ts";
import { type Verification, verifyPack } from "../../../lib/evidence/verify_pack.ts";
import { type EvidenceOptions, makePack } from "../../../lib/evidence/write_pack.ts";
import { createTestService, type TestServiceOptions } from "../../../lib/testing/mod.ts";
import { withFolder } from "../../with_folder.ts";

/** The address that packs say they are of. */
export const SERVICE = "https://service.example";

/** The key with which packs are signed. */
export const KEY = generateKeyPair();
/** A key that nobody trusts. */
export const OTHER_KEY = generateKeyPair();

/** Makes a pack of a service in memory: as it was written, and what its manifest says. */
export async function packOf(
  question: EvidenceQuestion,
  service: TestServiceOptions,
  options: Partial<EvidenceOptions> = {},
) {
  const { fetch } = createTestService(service);
  const client = createClient({ baseUrl: SERVICE, token: "secret-token", fetch, attempts: 1 });
  const pack = makePack(client, question, {
    service: SERVICE,
    docket: "0.1.0",
    key: KEY.privateKey,
    ...options,
  });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let step = await pack.next();
  for (; !step.done; step = await pack.next()) chunks.push(step.value);
  return { bytes: await new Blob(chunks).bytes(), manifest: step.value };
}

/** What checking a pack says to somebody who trusts these keys. */
export function verify(
  bytes: Uint8Array<ArrayBuffer>,
  keys: readonly string[] = [KEY.publicKey],
): Promise<Verification> {
  return verifyPack(new Blob([bytes]), keys);
}

/** What a pack holds, by the names of its files. */
export type Files = Record<string, Uint8Array>;

/** Unpacks a pack. */
export const filesOf = (pack: Uint8Array): Files => unzipSync(pack);

/** Reads one of the files as text. */
export const textIn = (files: Files, name: string): string => new TextDecoder().decode(files[name]);

/** The files with another text in one of them. */
export const put = (files: Files, name: string, text: string): Files => ({
  ...files,
  [name]: new TextEncoder().encode(text),
});

/** Packs files, by default compressed; with level 0 as they are. */
export const zipOf = (files: Files, level: 0 | 6 = 6): Uint8Array<ArrayBuffer> =>
  zipSync(files, { level }) as Uint8Array<ArrayBuffer>;

const COMMANDS = "sha256sum --status -c SHA256SUMS && openssl pkeyutl -verify -pubin " +
  "-inkey ../docket.pub -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig >&2";

const hasCommands = await new Deno.Command("sh", {
  args: ["-c", "sha256sum --version && openssl version"],
})
  .output().then(({ success }) => success, () => false);
if (!hasCommands) console.warn("sha256sum or openssl is missing: the two commands are not tested");

/** Whether the two commands of docs/evidence.md accept files; null where they are missing. */
export async function acceptedByCommands(
  files: Files,
  key = KEY.publicKey,
): Promise<boolean | null> {
  if (!hasCommands) return null;
  return await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/docket.pub`, key);
    await Deno.mkdir(`${folder}/pack`);
    for (const [name, content] of Object.entries(files)) {
      await Deno.writeFile(`${folder}/pack/${name}`, content);
    }
    const command = new Deno.Command("sh", { args: ["-c", COMMANDS], cwd: `${folder}/pack` });
    return (await command.output()).success;
  });
}

/** The sums of the files as they are now, signed. */
export function signed(files: Files, { privateKey } = KEY): Files {
  const sums = ["items.ndjson", "manifest.json", "report.html"]
    .map((name) => `${createHash("sha256").update(files[name]).digest("hex")}  ${name}\n`);
  const next = put(files, "SHA256SUMS", sums.join(""));
  const signature = sign(null, next["SHA256SUMS"], createPrivateKey(privateKey));
  return { ...next, "SHA256SUMS.sig": new Uint8Array(signature) };
}
