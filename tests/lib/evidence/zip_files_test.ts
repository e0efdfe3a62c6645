import { assertEquals } from "@std/assert";
import { crc32, deflateRawSync } from "node:zlib";
import { makeFileSets } from "../../../lib/testing/mod.ts";
import { filesOf, packOf, verify } from "./packs.ts";

const { bytes } = await packOf({ body: {} }, { fileSets: makeFileSets(5) });
const files = filesOf(bytes);

/** What a ZIP says of a file, and the bytes of it around the file. */
function entryOf(name: string, content: Uint8Array) {
  return {
    ...{ localName: name, method: 8, flags: 0, crc: crc32(content), size: content.length },
    ...{ attributes: 0o100644 * 65536, extra: [] as readonly number[], before: 0 },
    /** What its data unpacks to. */
    unpacked: content,
    /** Changes what is packed. */
    repack: (packed: Uint8Array) => packed,
  };
}

/** A ZIP made by a forger: `change` says what is wrong with items.ndjson. */
function forge(
  change: (items: Uint8Array) => Partial<ReturnType<typeof entryOf>> & { localSize?: number } =
    () => ({}),
  { names = Object.keys(files), comment = "", gap = 0 } = {},
): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  const directory: number[] = [];
  const number = (size: number, value: number) =>
    Array.from({ length: size }, (_, at) => value >>> (8 * at) & 255);
  const text = (value: string) => [...new TextEncoder().encode(value)];
  for (const name of names) {
    const content = files[name];
    const changed = name === "items.ndjson" ? change(content) : {};
    const { localSize, ...entry } = { ...entryOf(name, content), localSize: undefined, ...changed };
    const { localName, unpacked, method, flags, crc, size, attributes, extra, before } = entry;
    const packed = entry.repack(method === 8 ? deflateRawSync(unpacked) : unpacked);
    out.push(...Array(before).fill(0));
    const offset = out.length;
    const common = (size: number, name: string) => [
      ...[...number(2, 20), ...number(2, flags), ...number(2, method), ...number(4, 0x210000)],
      ...[...number(4, crc), ...number(4, packed.length), ...number(4, size)],
      ...[...number(2, name.length), ...number(2, extra.length)],
    ];
    out.push(...number(4, 0x04034b50), ...common(localSize ?? size, localName), ...text(localName));
    for (const byte of [...extra, ...packed]) out.push(byte);
    directory.push(...number(4, 0x02014b50), ...number(2, 0x31e), ...common(size, name));
    directory.push(...Array(6).fill(0), ...number(4, attributes), ...number(4, offset));
    directory.push(...text(name), ...extra);
  }
  out.push(...Array(gap).fill(0));
  const end = [...number(2, names.length), ...number(2, names.length)];
  const where = [...number(4, directory.length), ...number(4, out.length)];
  return Uint8Array.from([
    ...[...out, ...directory, ...number(4, 0x06054b50), 0, 0, 0, 0, ...end, ...where],
    ...[...number(2, comment.length), ...text(comment)],
  ]);
}

const more = (items: Uint8Array) =>
  Uint8Array.from([...items, ...new TextEncoder().encode("{}\n")]);

const TRICKS: Record<string, Parameters<typeof forge>> = {
  "more rows than its length says": [(items) => ({ unpacked: more(items) })],
  "more stored rows than its length says": [(items) => ({ unpacked: more(items), method: 0 })],
  "fewer rows than its length says": [(items) => ({ unpacked: items.subarray(0, -1) })],
  "another length in its own header": [({ length }) => ({ localSize: length + 1 })],
  "another name in its own header": [() => ({ localName: "rows.ndjson!" })],
  "another CRC": [() => ({ crc: 7 })],
  "bytes after what it unpacks to": [
    () => ({ repack: (packed) => Uint8Array.from([...packed, 0, 0]) }),
  ],
  "no end of what is deflated": [() => ({ repack: (packed) => packed.subarray(0, -1) })],
  "no deflated data at all": [() => ({ repack: () => new Uint8Array(9).fill(255) })],
  "a method that nobody knows": [() => ({ method: 12 })],
  "the flag of a secret": [() => ({ flags: 1 })],
  "the attributes of a link": [() => ({ attributes: 0o120777 * 65536 })],
  "the attributes of a folder": [() => ({ attributes: 0o040755 * 65536 + 16 })],
  "another name in an extra field": [() => ({ extra: [0x75, 0x70, 1, 0, 1] })],
  "something before it": [() => ({ before: 4 })],
  "something before the directory": [undefined, { gap: 4 }],
  "a comment behind the ZIP": [undefined, { comment: "complete" }],
  "a twin": [undefined, { names: ["items.ndjson", ...Object.keys(files).slice(0, 4)] }],
  "a terabyte of zeros": [
    () => ({ unpacked: new Uint8Array(50_000_000), size: 2 ** 32 - 2 ** 16 }),
  ],
};

Deno.test("writeZip: both headers of a file have the same time, however long it takes", () => {
  const text = String.fromCharCode(...bytes);
  const times = [..."\x03\x04 \x01\x02".split(" ").entries()].flatMap(([isCentral, kind]) =>
    text.split(`PK${kind}`).slice(1).map((header) => header.slice(6 + 2 * isCentral).slice(0, 4))
  );
  assertEquals(times, Array(10).fill("\0\0!\0"));
});

Deno.test("openZip: the files in any order, as a forger packs them without a trick", async () => {
  assertEquals((await verify(forge())).outcome, "intact");
  const names = Object.keys(files).toReversed();
  assertEquals((await verify(forge(undefined, { names }))).outcome, "intact");
});

for (const [trick, forged] of Object.entries(TRICKS)) {
  Deno.test(`openZip: refuses a file with ${trick}`, async () => {
    const { outcome, complete, manifest } = await verify(forge(...forged));
    assertEquals([outcome === "intact", complete, manifest], [false, false, undefined]);
  });
}
