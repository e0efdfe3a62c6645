/** Packs forged by somebody who knows the format: both implementations refuse each with the same exit code. */
import { assertEquals, assertMatch } from "@std/assert";
import { crc32, deflateRawSync } from "node:zlib";
import { canonicalJson } from "../../../lib/evidence/canonical_json.ts";
import { type EvidenceManifest, verifyPack } from "../../../lib/evidence/mod.ts";
import { makeFileSets, makeRuns } from "../../../lib/testing/mod.ts";
import {
  type Files,
  filesOf,
  KEY,
  OTHER_KEY,
  packOf,
  put,
  restated,
  signed,
  textIn,
  zipOf,
} from "./packs.ts";
import { HAS_PYTHON, verifyAll, verifyByPython } from "./verifiers.ts";

const FILE_SETS = makeFileSets(5)
  .map((row) => ({ ...row, name: "\u00c4pfel", extra: { person: "nobody" } }));
const search = filesOf((await packOf({ kind: "search", body: {} }, { fileSets: FILE_SETS })).bytes);
const history = filesOf(
  (await packOf({ kind: "history", scheduleId: 1 }, { runs: { 1: makeRuns(12) } })).bytes,
);

/** What the headers of a file in a ZIP say, where that is not what is so. */
interface Header {
  readonly name?: string;
  readonly version?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly packed?: number;
  readonly size?: number;
  readonly extra?: number;
  readonly offset?: number;
}

interface Forgery {
  /** For the file `report.html`: in its own header, in the directory, and its packed bytes. */
  readonly local?: Header;
  readonly central?: Header;
  readonly packed?: Uint8Array;
  readonly before?: number;
  readonly after?: number;
  /** Zeros after `report.html`. */
  readonly gap?: number;
  readonly comment?: number;
}

function littleEndian(...fields: readonly (readonly [value: number, bytes: number])[]): number[] {
  return fields.flatMap(([value, bytes]) =>
    Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) & 255)
  );
}

/** A ZIP of stored files, written by hand. */
function forgedZip(forgery: Forgery, files = Object.entries(search)): Uint8Array<ArrayBuffer> {
  const zeros = (length = 0) => new Array<number>(length).fill(0);
  const body = zeros(forgery.before);
  const directory: number[] = [];
  for (const [name, bytes] of files) {
    const { local, central, packed = bytes, gap } = name === "report.html" ? forgery : {
      packed: bytes,
    } as Forgery;
    const honest: Required<Header> = {
      ...{ name, version: 20, flags: 0, method: 0, crc: crc32(bytes), packed: packed.length },
      ...{ size: bytes.length, extra: 0, offset: body.length },
    };
    const text = (name: string) => [...new TextEncoder().encode(name)];
    const header = ({ name, version, flags, method, crc, packed, size, extra }: typeof honest) => [
      ...littleEndian([version, 2], [flags, 2], [method, 2], [0, 4], [crc, 4], [packed, 4]),
      ...littleEndian([size, 4], [text(name).length, 2], [extra, 2]),
    ];
    const [own, listed] = [local, central].map((claimed) => ({ ...honest, ...claimed }));
    body.push(...littleEndian([0x04034b50, 4]), ...header(own), ...text(own.name));
    body.push(...zeros(own.extra), ...packed, ...zeros(gap));
    directory.push(...littleEndian([0x02014b50, 4], [20, 2]), ...header(listed), ...zeros(10));
    directory.push(...littleEndian([listed.offset, 4]), ...text(listed.name));
    directory.push(...zeros(listed.extra));
  }
  const end = littleEndian([0x06054b50, 4], [0, 4], [files.length, 2], [files.length, 2]);
  end.push(...littleEndian([directory.length, 4], [body.length, 4], [forgery.comment ?? 0, 2]));
  return Uint8Array.from([...body, ...directory, ...end, ...zeros(forgery.after)]);
}

const REPORT = search["report.html"];
const ENTRIES = Object.entries(search);
const DEFLATED = Uint8Array.from([...deflateRawSync(REPORT), ...REPORT.subarray(0, 40)]);
const AS_DEFLATED = { method: 8 };

/** ZIPs that some programs read differently: none is a pack. */
const ZIPS: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "a comment": forgedZip({ comment: 5, after: 5 }),
  "a comment that is not there": forgedZip({ comment: 5 }),
  "bytes after the end": forgedZip({ after: 9 }),
  "bytes before the first file": forgedZip({ before: 9 }),
  "bytes between two files": forgedZip({ gap: 12 }),
  "a descriptor that hides a file": forgedZip({
    local: { flags: 8 },
    central: { flags: 8 },
    gap: 24,
  }),
  "another name in the file's header": forgedZip({ local: { name: "people.json" } }),
  "another size in the file's header": forgedZip({ local: { size: 9 } }),
  "another method in the file's header": forgedZip({ local: { method: 8 } }),
  "other flags in the file's header": forgedZip({ local: { flags: 2 } }),
  "another place": forgedZip({ central: { offset: 0 } }),
  "an extra field": forgedZip({ central: { extra: 8 } }),
  "an extra field in the file's header": forgedZip({ local: { extra: 8 } }),
  "encryption": forgedZip({ local: { flags: 1 }, central: { flags: 1 } }),
  "strong encryption": forgedZip({ local: { flags: 64 }, central: { flags: 64 } }),
  "LZMA": forgedZip({ local: { method: 14 }, central: { method: 14 } }),
  "ZIP64": forgedZip({ local: { version: 45 }, central: { version: 45 } }),
  "a name that ends with a zero": forgedZip(renamed("report.html\0")),
  "an absolute name": forgedZip(renamed("/report.html")),
  "a name of Windows": forgedZip(renamed("..\\report.html")),
  "a name after a byte order mark": forgedZip(renamed("\ufeffreport.html")),
  "a name in capitals": forgedZip(renamed("REPORT.HTML")),
  "two files of a name": forgedZip({}, [...ENTRIES, ENTRIES[0]]),
  "two manifests, the first of them signed": forgedZip({}, [
    ...ENTRIES,
    ["manifest.json", restated(search, () => ({ service: "x" }))["manifest.json"]],
  ]),
  "a manifest that is not UTF-8": zipOf({ ...search, "manifest.json": Uint8Array.of(34, 255, 34) }),
};

function renamed(name: string): Forgery {
  return { local: { name }, central: { name } };
}

/** Packs whose manifest can be read, but that do not hold. */
const REFUTED: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "another CRC": forgedZip({ local: { crc: 9 }, central: { crc: 9 } }),
  "less than it says": forgedZip({ local: { size: 9999 }, central: { size: 9999 } }),
  "no deflated data": forgedZip({ local: AS_DEFLATED, central: AS_DEFLATED }),
  "rows of another pack, proved anew, with the old signature": zipOf({
    ...filesOf((await packOf({ kind: "search", body: {} }, { fileSets: FILE_SETS })).bytes),
    "manifest.json": search["manifest.json"],
    "signature.json": search["signature.json"],
  }),
  "a manifest of somebody else, with the old signature": zipOf({
    ...await signed(restated(search, () => ({ service: "x" })), OTHER_KEY),
    "signature.json": search["signature.json"],
  }),
  "another key's id": await withSignature("keyId", () => "0".repeat(64)),
  "base64 with bits left over": await withSignature(
    "signature",
    (text) => text.replace(/.==$/, (end) => String.fromCharCode(end.charCodeAt(0) + 1) + "=="),
  ),
  "base64 without its padding": await withSignature("signature", (text) => text.slice(0, -2)),
};

async function withSignature(
  name: string,
  change: (text: string) => string,
): Promise<Uint8Array<ArrayBuffer>> {
  const signature = JSON.parse(textIn(await signed(search), "signature.json"));
  return zipOf(put(
    search,
    "signature.json",
    canonicalJson({
      ...signature,
      [name]: change(signature[name]),
    }),
  ));
}

/** What the owner of the key could sign: texts of a file, changed. */
const CHANGED: Readonly<Record<string, [Files, name: string, from: string | RegExp, to: string]>> =
  {
    "a member twice": [search, "items.ndjson", '{"list":0', '{"list":0,"list":0'],
    "a number as 1e3": [search, "items.ndjson", /"fileCount":\d/, '"fileCount":1e3'],
    "a negative zero": [search, "items.ndjson", /"fileCount":\d/, '"fileCount":-0'],
    "a decomposed letter": [search, "items.ndjson", "\u00c4", "A\u0308"],
    "an escaped letter": [search, "items.ndjson", '"name":"', '"name":"\\u0041'],
    "half a list": [search, "items.ndjson", '"list":0', '"list":0.5'],
    "a list in quotes": [search, "items.ndjson", '"list":0', '"list":"0"'],
    "a list that is true": [history, "items.ndjson", '"list":0', '"list":false'],
    "an id as a text": [history, "items.ndjson", /"id":(\d+)/, '"id":"$1"'],
    "half an id": [history, "items.ndjson", /"id":(\d+)/, '"id":$1.5'],
    "more in the proof": [search, "proof.json", '"tree":', '"note":"true","tree":'],
    "a count that is false": [search, "proof.json", '"inNone":0', '"inNone":false'],
    "a proof of nothing": [
      search,
      "proof.json",
      /"root":"\w+"(.*)"size":5/,
      `"root":"${"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}"$1"size":0`,
    ],
    "two salts changed round": [
      history,
      "people.json",
      /"salt":"([^"]+)"(.*?)"salt":"([^"]+)"/,
      '"salt":"$3"$2"salt":"$1"',
    ],
    "a salt with bits left over": [search, "people.json", /A==|Q==|g==|w==/, "B=="],
  };

for (const [what, [files, name, from, to]] of Object.entries(CHANGED)) {
  assertMatch(textIn(files, name), new RegExp(from), what);
  Object.assign(REFUTED, {
    [what]: zipOf(
      await signed(restated(put(files, name, textIn(files, name).replace(from, to)), () => ({}))),
    ),
  });
}

/** What the owner of the key could claim. */
const CLAIMS: Readonly<Record<string, (manifest: EvidenceManifest) => object>> = {
  "a third reading": ({ readings }) => ({ readings: [...readings, { ...readings[0], round: 3 }] }),
  "a drift that is a number": ({ readings: [first, second] }) => ({
    readings: [{ ...first, drift: 5 }, second],
  }),
  "no words": ({ asked }) => ({ asked: { ...asked, words: undefined } }),
  "reasons that are no texts": () => ({ incomplete: [5] }),
  "a year": () => ({ made: "2026" }),
  "no zone": () => ({ made: "2026-01-01T00:00:00" }),
  "a day that is not": () => ({ made: "2026-02-30T00:00:00Z" }),
  "complete in quotes": () => ({ complete: "true" }),
};

for (const [what, change] of Object.entries(CLAIMS)) {
  Object.assign(REFUTED, { [what]: zipOf(await signed(restated(search, change))) });
}

const HELD: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "stored": forgedZip({}),
  "bytes after deflated data, which no program reads": forgedZip({
    local: AS_DEFLATED,
    central: AS_DEFLATED,
    packed: DEFLATED,
  }),
  "ids that sort differently as texts and as numbers": zipOf(history),
};

for (const [code, packs] of [[2, ZIPS], [1, REFUTED], [0, HELD]] as const) {
  Deno.test(`verify: both implementations exit with ${code}`, async () => {
    const names = Object.keys(packs);
    const all = Object.values(packs);
    const named = (codes: readonly number[]) => names.map((name, at) => [name, codes[at]]);
    const expected = names.map((name) => [name, code]);
    assertEquals(named(await verifyAll(all)), expected);
    if (HAS_PYTHON) assertEquals(named(await verifyByPython(all)), expected);
    for (const [at, pack] of all.entries()) {
      const { findings } = await verifyPack(new Blob([pack]), [KEY.publicKey]);
      const refuted = findings.filter(({ holds }) => !holds).length;
      assertEquals([names[at], refuted], [names[at], code === 0 ? 0 : 1]);
    }
  });
}
