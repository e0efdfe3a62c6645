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
  MAX_BYTES,
  MAX_LINE,
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

/** The result of verifying a pack. */
export interface Verification {
  /**
   * `holds`: it is intact, and signed by a trusted key. `unknown key`: it is intact, but signed by
   * another key or not at all. `does not hold`: it is not intact. `not a pack`: it is something else.
   */
  readonly outcome: "holds" | "unknown key" | "does not hold" | "not a pack";
  /** Whether it holds and is complete. */
  readonly complete: boolean;
  /** The results of all checks, as sentences. */
  readonly findings: readonly { readonly holds: boolean; readonly text: string }[];
  /** The manifest, if it could be read. */
  readonly manifest?: EvidenceManifest;
}

class Refuted extends Error {}

/**
 * Verifies a pack offline. It needs 80 bytes of memory for each row, and room for people.json.
 *
 * @param pack The ZIP.
 * @param trustedKeys Public keys as PEM texts.
 * @param now The time in milliseconds since 1970, to notice a pack from the future. Default: now.
 * @returns Whether the pack holds, and the result of each check.
 * @throws {ConfigurationError} If a key is not an Ed25519 public key.
 */
export async function verifyPack(
  pack: Blob | RandomAccessFile,
  trustedKeys: readonly string[],
  now: number = Date.now(),
): Promise<Verification> {
  const trusted = (await Promise.all(trustedKeys.map(readPublicKey))).map(keyIdOf);
  const findings: Finding[] = [];
  const add = (text: string, holds = true) => void findings.push({ holds, text });
  let manifest: EvidenceManifest | undefined;
  const ended = (outcome: Verification["outcome"]): Verification => ({
    outcome,
    complete: outcome === "holds" && manifest!.complete,
    findings,
    ...(manifest && { manifest }),
  });
  try {
    const files = await openZip("read" in pack ? pack : blobFile(pack), MAX_BYTES);
    const [text, read] = await readManifest(files);
    manifest = read;
    const signature = await checkSignature(files, text, trusted);
    findings.push(signature);
    add(await checkFiles(files, manifest));
    const proof = parseCanonicalJson(await textOf(files, "proof.json")) as Proof;
    const people = await readPeople(files);
    add(
      people
        ? `people.json opens ${formatCountOf(people.size, "digest", "digests")} of people`
        : "people.json is left out: nobody is named, and the rows still verify",
    );
    add(await checkItems(files, manifest, proof, people));
    add(checkGaps(manifest, proof));
    const made = checkTexts(manifest);
    if (made > now) add(`It says that it was made in the future: ${manifest.made}`);
    return ended(signature.holds ? "holds" : "unknown key");
  } catch (error) {
    const { message } = error as Error;
    // A forged file may cause any error.
    const isKnown = error instanceof Refuted || error instanceof NotAPackError;
    add(isKnown ? message : `A file of the pack has the wrong form: ${message}`, false);
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

type Finding = Verification["findings"][number];

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

/** Reads manifest.json; throws a NotAPackError if it is not one. */
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

/** Checks the signature; the finding holds if its key is trusted. */
async function checkSignature(
  files: Files,
  manifest: string,
  trusted: readonly string[],
): Promise<Finding> {
  if (!files.has("signature.json")) {
    return { holds: false, text: "It is not signed: anybody could have made it" };
  }
  const signature = parseCanonicalJson(await textOf(files, "signature.json")) as PackSignature;
  const isGood = await verifySignature(signature, new TextEncoder().encode(manifest));
  refuteUnless(isGood, "The signature does not match the manifest");
  const key = `It is signed by the key ${signature.keyId.slice(0, 16)}…`;
  if (trusted.includes(signature.keyId)) return { holds: true, text: `${key}, which you trust` };
  const advice = trusted.length > 0
    ? ", which you do not trust"
    : "; give the file of a key that you trust";
  return { holds: false, text: key + advice };
}

async function checkFiles(files: Files, manifest: EvidenceManifest): Promise<string> {
  const signed = Object.keys(manifest.files);
  const named = Object.keys(MAX_BYTES).filter((name) => !/^(manifest|signature)/.test(name));
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
  return `All ${count} files match the manifest`;
}

/** The digests that people.json opens; undefined without that file. */
async function readPeople(files: Files): Promise<ReadonlySet<string> | undefined> {
  if (!files.has("people.json")) return undefined;
  const text = await textOf(files, "people.json");
  const people = parseCanonicalJson(text) as Readonly<Record<string, Opening>>;
  for (const [person, { salt, value }] of Object.entries(people)) {
    const isOpened = commitmentOf(fromBase64(salt), value) === person;
    refuteUnless(isOpened, "people.json names somebody with a wrong digest");
  }
  return new Set(Object.keys(people));
}

/** Computes every root of the proof from the items. */
async function checkItems(
  files: Files,
  { asked }: EvidenceManifest,
  { lists, inNone, ...others }: Proof,
  people: ReadonlySet<string> | undefined,
): Promise<string> {
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
    refuteUnless(!people || areOpened(row, people), "people.json lacks a person in the rows");
    const index = tables[list].indexOf(row.id);
    const isNew = tables[list].addRow(index, 1, leafHash(line.slice(line.indexOf(",") + 7, -1)));
    refuteUnless(isNew, `Line ${rows + 1} of items.ndjson repeats an id`);
    tables[list].setList(index, list);
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
  return `${formatCountOf(rows, "row matches", "rows match")} the ${roots} of the proof`;
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
    const areShort = lines.every(({ length }) => length < MAX_LINE);
    refuteUnless(areShort, "items.ndjson has a line that is too long");
    rest = lines.pop()!;
    yield* lines;
  }
  refuteUnless(rest === "", "The last line of items.ndjson is cut off");
}

function checkGaps({ readings, complete, incomplete }: EvidenceManifest, proof: Proof): string {
  const gaps = gapsOf(readings, proof);
  refuteUnless(complete === (gaps.length === 0), "The readings contradict the manifest");
  return complete
    ? `Both readings of ${formatCountOf(proof.lists.length, "list", "lists")} agree with the rows`
    : `The manifest itself says what is missing: ${incomplete.join(" ")}`;
}
