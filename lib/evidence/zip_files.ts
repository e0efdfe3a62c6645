/** Writes files into a ZIP stream, and reads untrusted ZIPs. */
import { ConfigurationError } from "../errors.ts";
import { Inflate, Zip, ZipDeflate } from "fflate";

export interface NamedFile {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A file whose parts can be read in any order, such as a ZIP. */
export interface RandomAccessFile {
  /** Number of bytes. */
  readonly size: number;
  /** Reads bytes. */
  read(start: number, length: number): Promise<Uint8Array>;
}

export interface ZippedFile {
  /** Number of bytes, as the ZIP claims. */
  readonly size: number;
  /** Unpacks its first `size` bytes; throws a NotAPackError if there are fewer. */
  bytes(): AsyncIterable<Uint8Array>;
}

export class NotAPackError extends Error {
  override readonly name = "NotAPackError";
}

/** A file from a blob, such as one that was chosen on a page. */
export function blobFile(blob: Blob): RandomAccessFile {
  return {
    size: blob.size,
    read: async (start, length) =>
      new Uint8Array(await blob.slice(start, start + length).arrayBuffer()),
  };
}

/** The largest ZIP, and the largest file in it, without ZIP64. */
const MAX_BYTES = 2 ** 32 - 1;

/** Writes files into a ZIP, one after the other. Throws a ConfigurationError beyond 4 GB. */
export async function* zip(files: AsyncIterable<NamedFile>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let written = 0;
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    written += chunk.length;
    ready.push(chunk);
  });
  for await (const { name, chunks } of files) {
    const file = new ZipDeflate(name, { level: 6 });
    archive.add(file);
    for await (const chunk of chunks) {
      if (written > MAX_BYTES) {
        throw new ConfigurationError("question", "A pack holds at most 4 GB: ask for less");
      }
      file.push(chunk);
      yield* ready.splice(0);
    }
    file.push(new Uint8Array(), true);
    yield* ready.splice(0);
  }
  archive.end();
  yield* ready.splice(0);
}

const END_SIZE = 22;
const ENTRY_SIZE = 46;
const HEADER_SIZE = 30;
/** The flags that may be set: strength of compression, sizes after the file, a name in UTF-8. */
const USUAL_FLAGS = 0b1000_0000_1110;
const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });
const CONTRADICTS = "The files of the ZIP are not where its directory says";

/**
 * Opens a ZIP. Throws a NotAPackError unless it has only these files, once, within these sizes, and
 * one after the other, so that all programs find the same files in it.
 */
export async function openZip(
  file: RandomAccessFile,
  mostBytes: Readonly<Record<string, number>>,
): Promise<Map<string, ZippedFile>> {
  const end = file.size < END_SIZE ? undefined : await file.read(file.size - END_SIZE, END_SIZE);
  const tail = end && new DataView(end.buffer, end.byteOffset);
  const [length, start] = tail ? [tail.getUint32(12, true), tail.getUint32(16, true)] : [0, 0];
  const isEnd = tail?.getUint32(0, true) === 0x06054b50 && tail.getUint16(20, true) === 0;
  if (!isEnd || start + length !== file.size - END_SIZE) {
    throw new NotAPackError("It is not a ZIP, or its end is missing");
  }
  if (length > 10_000) throw new NotAPackError("It is a ZIP with more files than a pack has");
  const directory = await file.read(start, length);
  const view = new DataView(directory.buffer, directory.byteOffset, length);
  const files = new Map<string, ZippedFile>();
  /** Where a file's header, or the directory, may begin. */
  let ends = [0];
  for (let at = 0; at < length;) {
    if (at + ENTRY_SIZE > length || view.getUint32(at, true) !== 0x02014b50) {
      throw new NotAPackError("The directory of the ZIP is damaged");
    }
    const nameLength = view.getUint16(at + 28, true);
    const nameEnd = at + ENTRY_SIZE + nameLength;
    const name = UTF8.decode(directory.subarray(at + ENTRY_SIZE, nameEnd));
    const size = view.getUint32(at + 24, true);
    if (!Object.hasOwn(mostBytes, name)) {
      throw new NotAPackError(`It has a file that no pack has: ${JSON.stringify(name)}`);
    }
    if (files.has(name)) throw new NotAPackError(`It has ${name} twice`);
    if (size > mostBytes[name]) throw new NotAPackError(`${name} is larger than a pack allows`);
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const hasMore = view.getUint32(at + 30, true) !== 0;
    const isUsual = (flags & ~USUAL_FLAGS) === 0 && view.getUint8(at + 6) <= 20;
    if (hasMore || !isUsual || (method !== 0 && method !== 8)) {
      throw new NotAPackError(`${name} is encrypted, or packed in an unknown way`);
    }
    const crc = view.getUint32(at + 16, true);
    const packed = view.getUint32(at + 20, true);
    const offset = view.getUint32(at + 42, true);
    const header = await file.read(offset, HEADER_SIZE + nameLength);
    // The layout of both headers is the same from here on.
    const repeats = (from: number, to: number) =>
      header.subarray(from, to).every((byte, index) => byte === directory[at + 2 + from + index]);
    // This flag means that the CRC and the sizes follow the file, in 12 or 16 bytes.
    const isLate = (flags & 8) !== 0;
    const isSame = header[0] === 0x50 && header[1] === 0x4b && header[2] === 3 && header[3] === 4 &&
      repeats(6, 10) && (isLate || repeats(14, 26)) && repeats(26, HEADER_SIZE) &&
      UTF8.decode(header.subarray(HEADER_SIZE)) === name;
    if (!isSame || !ends.includes(offset)) throw new NotAPackError(CONTRADICTS);
    const from = offset + header.length;
    files.set(name, { size, bytes: () => unpack(file, name, { method, packed, from, size, crc }) });
    ends = isLate ? [from + packed + 12, from + packed + 16] : [from + packed];
    at = nameEnd;
  }
  if (!ends.includes(start)) throw new NotAPackError(CONTRADICTS);
  return files;
}

async function* unpack(
  file: RandomAccessFile,
  name: string,
  { method, packed, from, size, crc }: Readonly<
    Record<"method" | "packed" | "from" | "size" | "crc", number>
  >,
): AsyncGenerator<Uint8Array> {
  const damaged = () => new NotAPackError(`${name} can't be unpacked: the ZIP is damaged`);
  const ready: Uint8Array[] = [];
  const inflate = new Inflate((chunk) => void ready.push(chunk));
  let at = from;
  let left = size;
  let sum = -1;
  while (left > 0) {
    // Small pieces: each may unpack to a thousand times its size.
    const piece = await file.read(at, Math.min(16_384, from + packed - at));
    if (piece.length === 0) throw damaged();
    at += piece.length;
    try {
      if (method === 0) ready.push(piece);
      else inflate.push(piece);
    } catch {
      throw damaged();
    }
    for (const chunk of ready.splice(0)) {
      const value = chunk.subarray(0, left);
      left -= value.length;
      for (const byte of value) sum = sum >>> 8 ^ CRC_TABLE[(sum ^ byte) & 255];
      yield value;
    }
  }
  if ((sum ^ -1) >>> 0 !== crc) throw damaged();
}

/** The CRC-32 of each byte, which ZIPs use. */
const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum >>> 1 ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});
