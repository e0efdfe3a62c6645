/** The leaf hashes of a pack's readings: some 80 bytes for each id, so a million rows fit in memory. */
import { TreeHash } from "./tree_hash.ts";

/** This many steps of sorting or hashing take a few milliseconds. */
const STEPS = 4000;

/** Ids with the latest leaf hash, list and reading of each. */
export class LeafTable {
  #count = 0;
  readonly #encoder = new TextEncoder();
  /** The ids in UTF-8, one after the other, and where each begins. */
  #ids = new Uint8Array(4096);
  #starts = new Uint32Array(64);
  #hashes = new Uint8Array(64 * 32);
  #lists = new Uint16Array(64);
  #readings = new Uint16Array(64);
  /** A hash table of ids: the place of each plus one, or 0. */
  #index = new Uint32Array(128);
  #order: Uint32Array | undefined;

  /** The place of an id; a new one belongs to no list. */
  place(id: string | number): number {
    const end = this.#starts[this.#count];
    const key = typeof id === "string" ? id : numberKey(id);
    this.#ids = grown(this.#ids, end + key.length * 3);
    const { written } = this.#encoder.encodeInto(key, this.#ids.subarray(end));
    let at = this.#slot(end, end + written);
    if (this.#index[at] > 0) return this.#index[at] - 1;
    const place = this.#count++;
    this.#index[at] = this.#count;
    this.#starts = grown(this.#starts, this.#count + 1);
    this.#starts[this.#count] = end + written;
    this.#hashes = grown(this.#hashes, this.#count * 32);
    this.#lists = grown(this.#lists, this.#count);
    this.#readings = grown(this.#readings, this.#count);
    this.#order = undefined;
    if (this.#count * 2 > this.#index.length) {
      this.#index = new Uint32Array(this.#index.length * 2);
      for (let place = 0; place < this.#count; place++) {
        at = this.#slot(this.#starts[place], this.#starts[place + 1]);
        this.#index[at] = place + 1;
      }
    }
    return place;
  }

  /** The list that an id belongs to; 0 for none. */
  listOf(place: number): number {
    return this.#lists[place];
  }

  putInto(list: number, place: number): void {
    this.#lists[place] = list;
  }

  /** Adds a row of a reading (from 1); false if that reading had it before. */
  read(place: number, reading: number, hash: Uint8Array): boolean {
    if (this.#readings[place] === reading) return false;
    this.#readings[place] = reading;
    this.#hashes.set(hash, place * 32);
    return true;
  }

  /** The number and the root of a reading's rows, sorted by id; only those of `list`, if given. */
  async rootOf(reading: number, list?: number): Promise<{ size: number; root: string }> {
    this.#order ??= await this.#sorted();
    const tree = new TreeHash();
    for (const [step, place] of this.#order.entries()) {
      if (step % STEPS === STEPS - 1) await pause();
      if (this.#readings[place] !== reading) continue;
      if (list !== undefined && this.#lists[place] !== list) continue;
      tree.add(this.#hashes.subarray(place * 32, place * 32 + 32));
    }
    return { size: tree.size, root: tree.root() };
  }

  /** Where an id is in the index, or the free slot for it. */
  #slot(start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ this.#ids[at], 0x01000193);
    const mask = this.#index.length - 1;
    for (let at = (hash ^ hash >>> 15) & mask;; at = at + 1 & mask) {
      const place = this.#index[at] - 1;
      if (
        place < 0 || this.#compare(start, end, this.#starts[place], this.#starts[place + 1]) === 0
      ) {
        return at;
      }
    }
  }

  /** Compares two ids, as UTF-8 and so by code points. */
  #compare(a: number, aEnd: number, b: number, bEnd: number): number {
    const ids = this.#ids;
    while (a < aEnd && b < bEnd) {
      const difference = ids[a++] - ids[b++];
      if (difference !== 0) return difference;
    }
    return (aEnd - a) - (bEnd - b);
  }

  /** The places sorted by id. Sorts by merging, with pauses: a service may send millions. */
  async #sorted(): Promise<Uint32Array> {
    const starts = this.#starts;
    const isAfter = (a: number, b: number) =>
      this.#compare(starts[a], starts[a + 1], starts[b], starts[b + 1]) > 0;
    let from = new Uint32Array(this.#count);
    // Services mostly send rows in order: runs that are in order stay together.
    let runs = [0];
    for (let place = 1; place < this.#count; place++) {
      if (place % STEPS === 0) await pause();
      from[place] = place;
      if (isAfter(place - 1, place)) runs.push(place);
    }
    let into = runs.length > 1 ? new Uint32Array(this.#count) : from;
    while (runs.length > 1) {
      const merged: number[] = [];
      for (let run = 0; run < runs.length; run += 2) {
        const start = runs[run];
        const middle = runs[run + 1] ?? this.#count;
        const end = runs[run + 2] ?? this.#count;
        for (let to = start, a = start, b = middle; to < end; to++) {
          if (to % STEPS === STEPS - 1) await pause();
          const takesSecond = a === middle || (b < end && isAfter(from[a], from[b]));
          into[to] = from[takesSecond ? b++ : a++];
        }
        merged.push(start);
      }
      [from, into, runs] = [into, from, merged];
    }
    return from;
  }
}

/** A text that orders integers by their value. */
function numberKey(id: number): string {
  return String(BigInt(id) + 2n ** 53n).padStart(17, "0");
}

/** An array of at least that length. Frees the given one at once, before any garbage collection. */
function grown<Numbers extends Uint8Array | Uint16Array | Uint32Array>(
  array: Numbers,
  length: number,
): Numbers {
  if (length <= array.length) return array;
  const bytes = Math.ceil(Math.max(length, array.length * 1.1)) * array.BYTES_PER_ELEMENT;
  const { constructor, buffer } = array as unknown as {
    readonly constructor: new (buffer: ArrayBuffer) => Numbers;
    readonly buffer: ArrayBuffer;
  };
  return new constructor(buffer.transfer(bytes));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
