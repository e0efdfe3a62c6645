/** Writes files into a ZIP stream, and reads untrusted ZIPs. */
import { ConfigurationError } from "../errors.ts";
import { Zip, ZipDeflate } from "fflate";

export interface NamedFile {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A ZIP to read, with access to any part. {@linkcode blobFile} makes one from a `Blob`. */
export interface RandomAccessFile {
  /** Number of bytes. */
  readonly size: number;
  /** Reads bytes. */
  read(start: number, length: number): Promise<Uint8Array>;
}

export interface ZippedFile {
  /** Number of bytes, as the ZIP claims. */
  readonly size: number;
  /** Unpacks it; never more than `size`. */
  bytes(): AsyncIterable<Uint8Array>;
}

export class NotAPackError extends Error {
  override readonly name = "NotAPackError";
}

/** Reads parts of a blob, such as a file that a page was given. */
export function blobFile(blob: Blob): RandomAccessFile {
  return {
    size: blob.size,
    read: async (start, length) =>
      new Uint8Array(await blob.slice(start, start + length).arrayBuffer()),
  };
}

/** Without ZIP64, neither a file nor the ZIP can be larger. */
const MOST_BYTES = 2 ** 32 - 1;

/** Writes a ZIP, each file as it comes. Throws a ConfigurationError beyond 4 GB. */
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
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (Math.max(size, written) > MOST_BYTES) {
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

/** Opens a ZIP; throws a NotAPackError unless it has only these files, once, within these sizes. */
export async function openZip(
  file: RandomAccessFile,
  most: Readonly<Record<string, number>>,
): Promise<Map<string, ZippedFile>> {
  const end = file.size < END_SIZE ? undefined : await file.read(file.size - END_SIZE, END_SIZE);
  const tail = end && new DataView(end.buffer, end.byteOffset);
  const [length, start] = tail ? [tail.getUint32(12, true), tail.getUint32(16, true)] : [0, 0];
  if (tail?.getUint32(0, true) !== 0x06054b50 || start + length !== file.size - END_SIZE) {
    throw new NotAPackError("It is not a ZIP, or its end is missing");
  }
  if (length > 10_000) throw new NotAPackError("It is a ZIP with more files than a pack has");
  const directory = await file.read(start, length);
  const view = new DataView(directory.buffer, directory.byteOffset, length);
  const files = new Map<string, ZippedFile>();
  for (let at = 0; at < length;) {
    if (at + ENTRY_SIZE > length || view.getUint32(at, true) !== 0x02014b50) {
      throw new NotAPackError("The directory of the ZIP is damaged");
    }
    const nameEnd = at + ENTRY_SIZE + view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(directory.subarray(at + ENTRY_SIZE, nameEnd));
    const size = view.getUint32(at + 24, true);
    if (!Object.hasOwn(most, name)) {
      throw new NotAPackError(`It has a file that no pack has: ${JSON.stringify(name)}`);
    }
    if (files.has(name)) throw new NotAPackError(`It has ${name} twice`);
    if (size > most[name]) throw new NotAPackError(`${name} is larger than that of any pack`);
    const method = view.getUint16(at + 10, true);
    if (view.getUint16(at + 8, true) & 1 || (method !== 0 && method !== 8)) {
      throw new NotAPackError(`${name} is encrypted, or packed in an unknown way`);
    }
    const packed = view.getUint32(at + 20, true);
    const offset = view.getUint32(at + 42, true);
    files.set(name, { size, bytes: () => unpack(file, name, { method, packed, offset, size }) });
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return files;
}

async function* unpack(
  file: RandomAccessFile,
  name: string,
  { method, packed, offset, size }: Readonly<
    Record<"method" | "packed" | "offset" | "size", number>
  >,
): AsyncGenerator<Uint8Array> {
  const damaged = () => new NotAPackError(`${name} can't be unpacked: the ZIP is damaged`);
  const header = await file.read(offset, HEADER_SIZE);
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  if (header.length < HEADER_SIZE || view.getUint32(0, true) !== 0x04034b50) throw damaged();
  let at = offset + HEADER_SIZE + view.getUint16(26, true) + view.getUint16(28, true);
  const end = at + packed;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      // Small pieces: each may unpack to a thousand times its size.
      const piece = await file.read(at, Math.min(16_384, end - at));
      at += piece.length;
      if (piece.length > 0) controller.enqueue(piece as Uint8Array<ArrayBuffer>);
      else controller.close();
    },
  }, { highWaterMark: 0 });
  const reader =
    (method === 0 ? source : source.pipeThrough(new DecompressionStream("deflate-raw")))
      .getReader();
  let unpacked = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw damaged();
      });
      if (done) break;
      unpacked += value.length;
      if (unpacked > size) throw damaged();
      yield value;
    }
    if (unpacked !== size) throw damaged();
  } finally {
    await reader.cancel().catch(() => {});
  }
}
