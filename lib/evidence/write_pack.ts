/** Makes packs: reads lists twice, and writes rows, proof, report and signature into a ZIP. */
import { sha256 } from "@noble/hashes/sha2.js";
import { ConfigurationError } from "../errors.ts";
import { timeText } from "../format.ts";
import type { Backend } from "../client/backend.ts";
import type { Actor } from "../judgement/actor.ts";
import { canonicalJson } from "./canonical_json.ts";
import { signerOf } from "./keys.ts";
import {
  type Coverage,
  DOES_NOT_PROVE,
  type EvidenceManifest,
  FORMAT,
  gapsOf,
  MAX_BYTES,
  PROVES,
} from "./manifest.ts";
import { type EvidenceQuestion, type ResolvedQuestion, resolveQuestion } from "./question.ts";
import { ReadTwice, type ReadTwiceOptions } from "./read_twice.ts";
import { reportHtml } from "./report.ts";
import { toHex } from "./tree_hash.ts";
import { type NamedFile, zip } from "./zip_files.ts";

/** How to make a pack. */
export interface EvidenceOptions extends ReadTwiceOptions {
  /** Address of the service, for the manifest. */
  readonly service: string;
  /** Version of Docket, for the manifest. */
  readonly docket: string;
  /** PEM text of the private key. Without it, the pack is not signed. */
  readonly key?: string;
  /** Who makes the pack. */
  readonly by?: Actor;
  /** How much of the service a Docket server knows. */
  readonly coverage?: Coverage;
}

/** A pack that is being made. */
export interface EvidencePack {
  /** The ZIP. It fails if the reading fails; cancelling it ends the reading. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The manifest, once the stream is read to its end; undefined if it fails or is cancelled. */
  readonly manifest: Promise<EvidenceManifest | undefined>;
}

/**
 * Makes a pack. Nothing is requested before its stream is read.
 *
 * @param backend The service: a client, or anything that answers both operations.
 * @param question The question that the pack answers. Its dates must be resolved, not named ranges.
 * @param options The address of the service, the key, and how to read.
 * @returns The pack, whose stream makes it.
 * @throws {ConfigurationError} If the question is not valid.
 *
 * @example
 * ```ts
 * import { createClient } from "@docket/docket";
 * import { generateKeyPair, makePack, verifyPack } from "@docket/docket/evidence";
 * import { createTestService, makeFileSets } from "@docket/docket/testing";
 *
 * const service = "https://service.example";
 * const { fetch } = createTestService({ fileSets: makeFileSets(250) });
 * const client = createClient({ baseUrl: service, token: "secret", fetch });
 * const { privateKey, publicKey } = await generateKeyPair();
 * const pack = makePack(client, {
 *   kind: "search",
 *   body: { filters: [{ field: "owner", operator: "EQUALS", value: ["ann"] }] },
 * }, { service, docket: "0.1.0", key: privateKey });
 * const file = await new Response(pack.stream).blob();
 *
 * const { complete } = await verifyPack(file, [publicKey]);
 * console.assert(complete);
 * ```
 */
export function makePack(
  backend: Backend,
  question: EvidenceQuestion,
  options: EvidenceOptions,
): EvidencePack {
  const { promise, resolve } = Promise.withResolvers<EvidenceManifest | undefined>();
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  const chunks = zip(
    packFiles(backend, resolveQuestion(question, options.now?.()), { ...options, signal }, resolve),
  );
  return {
    manifest: promise,
    stream: new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value as Uint8Array<ArrayBuffer>);
        } catch (error) {
          resolve(undefined);
          throw error;
        }
      },
      async cancel() {
        resolve(undefined);
        left.abort();
        await chunks.return(undefined).catch(() => {});
      },
    }, { highWaterMark: 0 }),
  };
}

async function* packFiles(
  backend: Backend,
  asked: ResolvedQuestion,
  options: EvidenceOptions,
  onManifest: (manifest: EvidenceManifest) => void,
): AsyncGenerator<NamedFile> {
  const { service, docket, key, by = null, coverage = null, now = Date.now } = options;
  const files: Record<string, { size: number; sha256: string }> = {};
  const counted = (name: string, texts: AsyncIterable<string> | Iterable<string>): NamedFile => ({
    name,
    chunks: digested(texts, (digest) => {
      if (digest.size > MAX_BYTES[name]) {
        throw new ConfigurationError("question", `${name} is too large for a pack: ask for less`);
      }
      files[name] = digest;
    }),
  });
  const sign = key === undefined ? undefined : await signerOf(key);
  const reading = new ReadTwice(backend, asked, options);
  yield counted("items.ndjson", reading.items());
  const proof = await reading.proof();
  await reading.readAgain();
  yield counted("people.json", reading.people.json());
  yield counted("proof.json", [canonicalJson(proof)]);
  const incomplete = gapsOf(reading.readings, proof);
  const statement = {
    format: FORMAT,
    asked,
    service,
    by,
    made: timeText(now()),
    docket,
    coverage,
    readings: reading.readings,
    snapshot: asked.kind === "recipients"
      ? asked.scheduleIds!.map((scheduleId, list) => ({
        scheduleId,
        run: reading.newest[list]?.id ?? null,
      }))
      : null,
    complete: incomplete.length === 0,
    incomplete,
    proves: PROVES,
    doesNotProve: DOES_NOT_PROVE,
  } as const;
  yield counted("report.html", [reportHtml(statement, proof)]);
  const manifest: EvidenceManifest = { ...statement, files };
  const encoder = new TextEncoder();
  const bytes = encoder.encode(canonicalJson(manifest));
  yield { name: "manifest.json", chunks: [bytes] };
  if (sign) yield { name: "signature.json", chunks: [encoder.encode(await sign(bytes))] };
  onManifest(manifest);
}

/** Texts as bytes; reports their number and digest at the end. */
async function* digested(
  texts: AsyncIterable<string> | Iterable<string>,
  onEnd: (digest: { size: number; sha256: string }) => void,
): AsyncGenerator<Uint8Array> {
  const hash = sha256.create();
  const encoder = new TextEncoder();
  let size = 0;
  for await (const text of texts) {
    const bytes = encoder.encode(text);
    hash.update(bytes);
    size += bytes.length;
    yield bytes;
  }
  onEnd({ size, sha256: toHex(hash.digest()) });
}
