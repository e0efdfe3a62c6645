/** Verifies a pack offline: compares what it claims with what it holds. */
import { sha256 } from "@noble/hashes/sha2.js";
import { formatCountOf, timeText } from "../format.ts";
import { canonicalJson, parseCanonicalJson } from "./canonical_json.ts";
import { keyIdOf, type PackSignature, readPublicKey, verifySignature } from "./keys.ts";
import { LeafTable } from "./leaf_table.ts";
import {
  type EvidenceManifest,
  FORMAT,
  gapsOf,
  MOST_BYTES,
  MOST_LINE,
  type Proof,
} from "./manifest.ts";
import { commitmentOf, fromBase64, isCommitment, type Opening } from "./people.ts";
import { listsOf } from "./question.ts";
import { leafHasher, toHex } from "./tree_hash.ts";
import {
  blobFile,
  NotAPackError,
  openZip,
  type RandomAccessFile,
  type ZippedFile,
} from "./zip_files.ts";

/** What verifying a pack found. */
export interface Verification {
  /**
   * Whether all of it holds, with a signature by a trusted key; whether it is at least intact, but
   * signed by an unknown key or not at all; or whether it is no pack.
   */
  readonly outcome: "holds" | "unknown key" | "does not hold" | "not a pack";
  /** Whether it holds and is complete. */
  readonly complete: boolean;
  /** What was checked, as sentences. */
  readonly findings: readonly { readonly holds: boolean; readonly text: string }[];
  /** The manifest, if it could be read. */
  readonly manifest?: EvidenceManifest;
}

class Refuted extends Error {}

/**
 * Verifies a pack. Nothing is sent. Memory holds some 80 bytes a row, and the content of people.json.
 *
 * @param pack The ZIP.
 * @param trustedKeys Public keys as PEM texts.
 * @param now The time, to notice a pack from the future. Default: the clock's.
 * @throws {ConfigurationError} When a key is no Ed25519 public key.
 */
export async function verifyPack(
  pack: Blob | RandomAccessFile,
  trustedKeys: readonly string[],
  now: number = Date.now(),
): Promise<Verification> {
  const trusted = (await Promise.all(trustedKeys.map(readPublicKey))).map(keyIdOf);
  const findings: { holds: boolean; text: string }[] = [];
  const found = (text: string, holds = true) => void findings.push({ holds, text });
  let manifest: EvidenceManifest | undefined;
  const ended = (outcome: Verification["outcome"]): Verification => ({
    outcome,
    complete: outcome === "holds" && manifest!.complete,
    findings,
    ...(manifest && { manifest }),
  });
  try {
    const files = await openZip("read" in pack ? pack : blobFile(pack), MOST_BYTES);
    const [text, read] = await readManifest(files);
    manifest = read;
    const isTrusted = await checkSignature(files, text, trusted, found);
    await checkFiles(files, manifest, found);
    const proof = parseCanonicalJson(await textOf(files, "proof.json")) as Proof;
    const people = await readPeople(files, found);
    await checkItems(files, manifest, proof, people, found);
    checkGaps(manifest, proof, found);
    const made = checkTexts(manifest);
    if (made > now) found(`It says that it was made in the future: ${manifest.made}`);
    return ended(isTrusted ? "holds" : "unknown key");
  } catch (error) {
    const { message } = error as Error;
    // Any error that a forged file causes refutes the pack.
    const isKnown = error instanceof Refuted || error instanceof NotAPackError;
    found(isKnown ? message : `A file does not have the form of a pack's: ${message}`, false);
    return ended(error instanceof NotAPackError && !manifest ? "not a pack" : "does not hold");
  }
}

/** Checks the texts that are printed; returns when the pack was made. */
function checkTexts({ made, by, asked, incomplete, ...texts }: EvidenceManifest): number {
  const { service, docket, proves, doesNotProve } = texts;
  const all = [asked.words, service, docket, proves, doesNotProve, ...incomplete];
  const areTexts = [...all, ...Object.values(by ?? {})].every((text) => typeof text === "string");
  refuteUnless(areTexts, "The manifest lacks a text");
  const time = Date.parse(made);
  const isTime = !Number.isNaN(time) && timeText(time) === made;
  refuteUnless(isTime, "The manifest doesn't say when it was made");
  return time;
}

type Found = (text: string, holds?: boolean) => void;

function refuteUnless(holds: boolean, text: string): asserts holds {
  if (!holds) throw new Refuted(text);
}

type Files = ReadonlyMap<string, ZippedFile>;

async function* textsOf(files: Files, name: string): AsyncGenerator<string> {
  const file = files.get(name);
  if (!file) throw new NotAPackError(`${name} is missing`);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for await (const chunk of file.bytes()) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function textOf(files: Files, name: string): Promise<string> {
  return (await Array.fromAsync(textsOf(files, name))).join("");
}

/** @throws {NotAPackError} */
async function readManifest(files: Files): Promise<[text: string, EvidenceManifest]> {
  try {
    const text = await textOf(files, "manifest.json");
    const manifest = parseCanonicalJson(text) as EvidenceManifest;
    if (Object(manifest).format === FORMAT) return [text, manifest];
  } catch (error) {
    if (error instanceof NotAPackError) throw error;
    throw new NotAPackError("manifest.json is not canonical JSON");
  }
  throw new NotAPackError(`It is of another format than ${FORMAT}`);
}

async function checkSignature(
  files: Files,
  manifest: string,
  trusted: readonly string[],
  found: Found,
): Promise<boolean> {
  if (!files.has("signature.json")) {
    found("It is not signed: anybody could have made it", false);
    return false;
  }
  const signature = parseCanonicalJson(await textOf(files, "signature.json")) as PackSignature;
  const isGood = await verifySignature(signature, new TextEncoder().encode(manifest));
  refuteUnless(isGood, "The signature does not match the manifest");
  const isTrusted = trusted.includes(signature.keyId);
  const key = `the key ${signature.keyId.slice(0, 16)}…`;
  if (isTrusted) found(`It is signed by ${key}, which you trust`);
  else if (trusted.length > 0) found(`It is signed by ${key}, which you gave no file for`, false);
  else found(`It is signed by ${key}; give the file of a key that you trust`, false);
  return isTrusted;
}

async function checkFiles(
  files: Files,
  manifest: EvidenceManifest,
  found: Found,
): Promise<void> {
  const signed = Object.keys(manifest.files);
  const named = Object.keys(MOST_BYTES).filter((name) => !/^(manifest|signature)/.test(name));
  refuteUnless(
    signed.join() === named.sort().join(),
    "The manifest doesn't list the files that every pack has",
  );
  for (const name of signed) {
    const file = files.get(name);
    if (!file && name === "people.json") continue;
    refuteUnless(file !== undefined, `${name} is missing`);
    const hash = sha256.create();
    for await (const chunk of file.bytes()) hash.update(chunk);
    const isSame = file.size === manifest.files[name].size &&
      toHex(hash.digest()) === manifest.files[name].sha256;
    refuteUnless(isSame, `${name} does not match the manifest`);
  }
  const count = signed.length - (files.has("people.json") ? 0 : 1);
  found(`All ${count} files match the manifest`);
}

/** The digests that people.json opens; undefined without that file. */
async function readPeople(
  files: Files,
  found: Found,
): Promise<Set<string> | undefined> {
  if (!files.has("people.json")) {
    found("people.json is left out: nobody is named, and the rows still verify");
    return undefined;
  }
  const text = await textOf(files, "people.json");
  const people = parseCanonicalJson(text) as Readonly<Record<string, Opening>>;
  for (const [person, { salt, value }] of Object.entries(people)) {
    const isOpened = commitmentOf(fromBase64(salt), value) === person;
    refuteUnless(isOpened, "people.json names somebody with a wrong digest");
  }
  const digests = new Set(Object.keys(people));
  found(`people.json opens ${formatCountOf(digests.size, "digest", "digests")} of people`);
  return digests;
}

/** Computes every root of the proof from the items. */
async function checkItems(
  files: Files,
  { asked }: EvidenceManifest,
  { lists, inNone, ...others }: Proof,
  people: ReadonlySet<string> | undefined,
  found: Found,
): Promise<void> {
  const named = lists.map(({ size: _, root: __, ...list }) => list);
  const answer = { tree: "RFC 6962, SHA-256", lists: listsOf(asked) };
  const isAnswer = canonicalJson({ ...others, lists: named }) === canonicalJson(answer);
  refuteUnless(isAnswer, "The lists do not answer what was asked");
  const shared = new LeafTable();
  const tables = lists.map(() => asked.body ? shared : new LeafTable());
  const leafHash = leafHasher();
  let rows = 0;
  let placed = 0;
  for await (const line of linesOf(files)) {
    const { list, row, ...more } = parseCanonicalJson(line) as {
      readonly list: number;
      readonly row: { readonly id: string | number };
    };
    const hasForm = Number.isInteger(list) && list in lists && Object.keys(more).length === 0 &&
      (asked.body ? typeof row.id === "string" : Number.isSafeInteger(row.id));
    refuteUnless(hasForm, `Line ${rows + 1} of items.ndjson is not a row`);
    refuteUnless(!people || areOpened(row, people), "people.json lacks somebody");
    const place = tables[list].place(row.id);
    const isNew = tables[list].read(place, 1, leafHash(line.slice(line.indexOf(",") + 7, -1)));
    refuteUnless(isNew, `Line ${rows + 1} of items.ndjson repeats an id`);
    tables[list].putInto(list, place);
    rows++;
    if (list > 0) placed++;
  }
  for (const [at, { size, root }] of lists.entries()) {
    const computed = await tables[at].rootOf(1, asked.body && at === 0 ? undefined : at);
    const isSame = computed.size === size && computed.root === root;
    refuteUnless(isSame, `The rows of list ${at} do not match its root`);
  }
  const isCounted = inNone === (asked.body && lists.length > 1 ? rows - placed : 0);
  refuteUnless(isCounted, "The number of rows in no list is wrong");
  const roots = formatCountOf(lists.length, "root", "roots");
  found(`${formatCountOf(rows, "row has", "rows have")} the ${roots} of the proof`);
}

function areOpened(value: unknown, people: ReadonlySet<string>): boolean {
  if (isCommitment(value)) return people.has(value.person);
  return typeof value !== "object" || value === null ||
    Object.values(value).every((part) => areOpened(part, people));
}

async function* linesOf(files: Files): AsyncGenerator<string> {
  let rest = "";
  for await (const text of textsOf(files, "items.ndjson")) {
    const lines = (rest + text).split("\n");
    const areShort = lines.every(({ length }) => length < MOST_LINE);
    refuteUnless(areShort, "items.ndjson has a line that is too long");
    rest = lines.pop()!;
    yield* lines;
  }
  refuteUnless(rest === "", "The last line of items.ndjson is cut off");
}

function checkGaps(manifest: EvidenceManifest, proof: Proof, found: Found): void {
  const { readings, complete, incomplete } = manifest;
  const gaps = gapsOf(readings, proof);
  refuteUnless(complete === (gaps.length === 0), "The readings contradict the manifest");
  found(
    complete
      ? `Both readings of ${formatCountOf(proof.lists.length, "list", "lists")} agree with the rows`
      : `The manifest itself says what is missing: ${incomplete.join(" ")}`,
  );
}
