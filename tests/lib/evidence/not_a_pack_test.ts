import { assert, assertEquals } from "@std/assert";
import { zipSync } from "fflate";
import { verifyPack } from "../../../lib/evidence/mod.ts";
import { blobFile } from "../../../lib/evidence/zip_files.ts";
import { makeFileSets } from "../../../lib/testing/mod.ts";
import { type Files, filesOf, KEY, packOf, put, restated, signed, zipOf } from "./packs.ts";
import { HAS_PYTHON, verifyAll, verifyByPython } from "./verifiers.ts";

const { bytes } = await packOf({ kind: "search", body: {} }, { fileSets: makeFileSets(5) });
const files = filesOf(bytes);
const ZEROS = new Uint8Array(20_123_459);

/** A ZIP with one of its texts written over by another of the same length. */
function overwritten(files: Files, from: string, to: string): Uint8Array<ArrayBuffer> {
  const zipped = zipSync(files, { level: 9 });
  const text = Array.from(zipped, (byte) => String.fromCharCode(byte)).join("");
  return Uint8Array.from(text.replaceAll(from, to), (sign) => sign.charCodeAt(0));
}

function sizeBytes(size: number): string {
  return String.fromCharCode(...new Uint8Array(new Uint32Array([size]).buffer));
}

const OTHER_FORMAT = restated(files, () => ({ format: "docket-evidence/2" }));

/** Files that are no pack, with the one sentence that says so. */
const BAD: Readonly<Record<string, [Uint8Array<ArrayBuffer>, string]>> = {
  "nothing": [new Uint8Array(), "It is not a ZIP, or its end is missing"],
  "a text": [
    new TextEncoder().encode("a,b\n".repeat(99)),
    "It is not a ZIP, or its end is missing",
  ],
  "cut off": [bytes.slice(0, -40), "It is not a ZIP, or its end is missing"],
  "cut off at the beginning": [bytes.slice(40), "It is not a ZIP, or its end is missing"],
  "another ZIP": [zipOf({ "a.txt": ZEROS.slice(0, 9) }), 'It has a file that no pack has: "a.txt"'],
  "a way out": [
    zipOf({ ...files, "../../a": ZEROS.slice(0, 9) }),
    'It has a file that no pack has: "../../a"',
  ],
  "two manifests": [
    overwritten(
      { ...files, "manifest.txtx": files["manifest.json"] },
      "manifest.txtx",
      "manifest.json",
    ),
    "It has manifest.json twice",
  ],
  "a name of another length": [
    bytes.map((byte, at) => at === 26 ? byte + 1 : byte),
    "The files of the ZIP are not where its directory says",
  ],
  "no manifest": [zipOf({ "items.ndjson": files["items.ndjson"] }), "manifest.json is missing"],
  "another format": [
    zipOf(await signed(OTHER_FORMAT)),
    "It is of another format than docket-evidence/1",
  ],
  "other JSON": [
    zipOf(put(files, "manifest.json", "{} ")),
    "manifest.json is not canonical JSON",
  ],
  "a manifest of zeros": [
    zipOf({ ...files, "manifest.json": ZEROS }),
    "manifest.json is larger than a pack allows",
  ],
};

for (const [what, [pack, sentence]] of Object.entries(BAD)) {
  Deno.test(`verifyPack: not a pack: ${what}`, async () => {
    const { outcome, findings } = await verifyPack(new Blob([pack]), [KEY.publicKey]);
    assertEquals([outcome, findings], ["not a pack", [{ holds: false, text: sentence }]]);
  });
}

Deno.test(
  "verify.py: neither are they for the other implementation",
  { ignore: !HAS_PYTHON },
  async () => {
    const packs = Object.values(BAD).map(([pack]) => pack);
    assertEquals(await verifyByPython(packs), packs.map(() => 2));
  },
);

/** Packs that would unpack to much more than they are. */
const BOMBS: Readonly<Record<string, [Uint8Array<ArrayBuffer>, string]>> = {
  "one long line": [
    zipOf(await signed(restated({ ...files, "items.ndjson": ZEROS }, () => ({})))),
    "items.ndjson has a line that is too long",
  ],
  "more than it says": [
    overwritten({ ...files, "items.ndjson": ZEROS }, sizeBytes(ZEROS.length), sizeBytes(99)),
    "items.ndjson can't be unpacked: the ZIP is damaged",
  ],
  "more than any": [
    overwritten({ ...files, "report.html": ZEROS }, sizeBytes(ZEROS.length), sizeBytes(2 ** 31)),
    "report.html is larger than a pack allows",
  ],
};

for (const [what, [pack, sentence]] of Object.entries(BOMBS)) {
  Deno.test(`verifyPack: a bomb: ${what}`, async () => {
    const file = blobFile(new Blob([pack]));
    let most = 0;
    const { outcome, findings } = await verifyPack({
      ...file,
      read: (start, length) => {
        most = Math.max(most, length);
        return file.read(start, length);
      },
    }, [KEY.publicKey]);
    assert(outcome !== "holds");
    assertEquals(findings.at(-1)!.text, sentence);
    assert(most <= 16_384, `${most} bytes were read at once`);
  });
}

Deno.test("verifyPack: deep, empty and half a line", async () => {
  const lines = ["[".repeat(500_000) + "]".repeat(500_000), "", '{"list":0,"row":{"id":"a"}}'];
  for (const line of lines) {
    const forged = put(files, "items.ndjson", line === lines[2] ? line : `${line}\n`);
    const packs = [zipOf(await signed(restated(forged, () => ({}))))];
    assertEquals(await verifyAll(packs), [1]);
    if (HAS_PYTHON) assertEquals(await verifyByPython(packs), [1]);
  }
});
