/** Writes files into a ZIP, and opens ZIPs that nobody trusts. */
import { Zip, ZipPassThrough } from "fflate";
import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import zlib from "node:zlib";
import { check } from "../check.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/** A file whose parts can be read in any order, such as a `Blob`. */
export type PackFile = {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
};

/** The most bytes of a ZIP, and of a file in it, with some room for headers. */
const MOST_BYTES = 2 ** 32 - 2 ** 28;
const PIECE = 2 ** 16;

/** Writes files into a ZIP, stored, so that each bit has a meaning; adds lines for sha256sum to `sums`. */
export async function* writeZip(
  files: AsyncIterable<readonly [name: string, chunks: AsyncIterable<Bytes> | readonly Bytes[]]>,
  sums: string[],
): AsyncGenerator<Bytes> {
  const ready: Bytes[] = [];
  const archive = new Zip((_, chunk) => void ready.push(chunk as Bytes));
  for await (const [name, chunks] of files) {
    // Otherwise, each header has a time of its own.
    const file = Object.assign(new ZipPassThrough(name), { mtime: new Date(1980, 0, 1) });
    archive.add(file);
    const hash = createHash("sha256");
    for await (const chunk of chunks) {
      file.push(chunk);
      hash.update(chunk);
      check(file.size < MOST_BYTES, "question", "smaller: a pack has at most 4 GB");
      yield* ready.splice(0);
    }
    file.push(new Uint8Array(), true);
    sums.push(`${hash.digest("hex")}  ${name}\n`);
  }
  archive.end();
  yield* ready;
}

export class NotAPackError extends Error {}

export function ensure(isAsMade: boolean, otherwise: string): asserts isAsMade {
  if (!isAsMade) throw new Error(otherwise);
}

// The headers of a ZIP, as the sizes of their little-endian numbers, and the first number of each.
const [LOCAL, LATE, CENTRAL, END] = ["4222444422", "4444", "4222244442222244", "42222442"];
const [IS_LOCAL, IS_LATE, IS_CENTRAL, IS_END] = [0x4034b50, 0x8074b50, 0x2014b50, 0x6054b50];

/**
 * Opens a ZIP that has exactly these files, each with at most so many bytes. All of its headers agree, and
 * nothing is before, between or after the files. Throws a NotAPackError if it is no ZIP or has other
 * files, and an Error if other programs might find something else in it.
 *
 * @returns The chunks of each file; they end with an Error if length or CRC differ from the headers
 */
export async function openZip(
  file: PackFile,
  mostBytes: Readonly<Record<string, number>>,
): Promise<ReadonlyMap<string, AsyncGenerator<Bytes>>> {
  const read = async (start: number, length: number): Promise<Bytes> =>
    new Uint8Array(await file.slice(start, start + length).arrayBuffer());
  const numbersAt = async (layout: string, start: number) =>
    toNumbers(layout, await read(start, totalLength(layout)));
  const endsAt = Math.max(0, file.size - totalLength(END));
  const end = await numbersAt(END, endsAt);
  const [count, length] = [Object.keys(mostBytes).length, end[5]];
  const start = endsAt - length;
  const isOfFiles = areSame(end, [IS_END, 0, 0, count, count, length, start, 0]);
  const unlike = new NotAPackError("It is not a ZIP of the files that a pack has");
  if (!isOfFiles || length > 512 * count) throw unlike;

  const directory = await read(start, length);
  const files = new Map<string, AsyncGenerator<Bytes>>();
  let [at, next] = [0, 0];
  while (files.size < count) {
    const [kind, madeBy, ...central] = toNumbers(CENTRAL, directory.subarray(at));
    const [needed, flags, method, , crc, packed, size, nameLength, extraLength, ...rest] = central;
    const [commentLength, disk, internal, external, offset] = rest;
    const name = toText(directory.subarray(at += totalLength(CENTRAL), at += nameLength));
    const extra = directory.subarray(at, at += extraLength);
    if (kind !== IS_CENTRAL || !Object.hasOwn(mostBytes, name) || files.has(name)) throw unlike;
    // Bit 3: CRC and sizes follow the file; 11: UTF-8; 1 and 2: how hard it was deflated.
    const isStored = method === 0 && packed === size && (flags & ~0x808) === 0;
    const isDeflated = method === 8 && (flags & ~0x80e) === 0;
    ensure(
      (isStored || isDeflated) && [10, 20].includes(needed) && size <= mostBytes[name] &&
        isRegular(madeBy, internal, external) && commentLength + disk === 0,
      `${name} is too large, or packed in an unusual way`,
    );
    const sums = [crc, packed, size];
    const [after, sumsBefore, sumsAfter] = flags & 8
      ? [LATE, [0, 0, 0], [IS_LATE, ...sums]]
      : ["", sums, []];
    const local = await numbersAt(LOCAL, offset);
    const nameAt = offset + totalLength(LOCAL);
    const from = nameAt + nameLength + local.pop()!;
    const texts = await read(nameAt, from - nameAt);
    ensure(
      offset === next && toText(texts.subarray(0, nameLength)) === name &&
        areSame(local, [IS_LOCAL, ...central.slice(0, 4), ...sumsBefore, nameLength]) &&
        areSame(await numbersAt(after, from + packed), sumsAfter) &&
        isHarmless(extra) && isHarmless(texts.subarray(nameLength)),
      `The headers of ${name} contradict each other`,
    );
    next = from + packed + totalLength(after);
    const pieces = async function* () {
      for (let done = 0; done < packed; done += PIECE) {
        yield await read(from + done, Math.min(PIECE, packed - done));
      }
    };
    files.set(name, unpack(pieces(), isDeflated, sums));
  }
  ensure(at === length && next === start, "The ZIP has something besides its files");
  return files;
}

/** Whether a header describes a regular file, as the usual programs on Unix and others do. */
function isRegular(madeBy: number, internal: number, external: number): boolean {
  if (madeBy === 20) return internal === 0 && external === 0;
  return [0x314, 0x31e, 0x33f].includes(madeBy) && internal <= 1 && (external & 0x7fdf) === 0 &&
    [0, 0o10].includes(external >>> 28) && (external >>> 24 & 0o17) === 1;
}

/** Whether extra fields only say when a file was changed, and whose it was. */
function isHarmless(extra: Bytes): boolean {
  const [kind, length] = toNumbers("22", extra);
  return extra.length === 0 || ([0x5455, 0x7875].includes(kind) && 4 + length <= extra.length &&
    isHarmless(extra.subarray(4 + length)));
}

async function* unpack(
  pieces: AsyncGenerator<Bytes>,
  isDeflated: boolean,
  [crc, packed, size]: readonly number[],
): AsyncGenerator<Bytes> {
  const inflater = isDeflated ? zlib.createInflateRaw() : undefined;
  const source = inflater ? pipeline(Readable.from(pieces), inflater, () => {}) : pieces;
  let [seen, sum] = [0, 0];
  for await (const chunk of source) {
    seen += chunk.length;
    if (seen > size) break;
    sum = zlib.crc32(chunk, sum);
    yield chunk as Bytes;
  }
  const isAll = (inflater?.bytesWritten ?? packed) === packed;
  ensure(seen === size && sum === crc && isAll, "A file of the ZIP is not what its headers say");
}

/** `toNumbers("42", [1, 0, 0, 0, 2, 0])` → 1, 2; bytes that are missing are zeros. */
function toNumbers(layout: string, bytes: Bytes): number[] {
  let at = 0;
  return [...layout].map((size) =>
    bytes.subarray(at, at += Number(size)).reduceRight((sum, byte) => sum * 256 + byte, 0)
  );
}

const totalLength = (layout: string) => [...layout].reduce((sum, size) => sum + Number(size), 0);
const toText = (bytes: Bytes) => String.fromCharCode(...bytes);
const areSame = (a: readonly number[], b: readonly number[]) => a.join() === b.join();
