/** The leaf hashes of a pack's readings: some 80 bytes for each id, so a million rows fit in memory. */
import { TreeHash } from "./tree_hash.ts";

/** This many steps of sorting or hashing take a few milliseconds. */
const STEPS = 4000;
/** Ids and hashes are in blocks of 4096: to grow one large array, two have to fit in memory. */
const BLOCK_BITS = 12;
const IN_BLOCK = 2 ** BLOCK_BITS - 1;

/** Ids with the latest leaf hash, list and reading of each. */
export class LeafTable {
  #count = 0;
  readonly #encoder = new TextEncoder();
  /** The ids in UTF-8, one after the other, and where each ends in its block. */
  readonly #ids: Uint8Array[] = [];
  #ends = new Uint32Array(64);
  readonly #hashes: Uint8Array[] = [];
  #lists = new Uint16Array(64);
  #readings = new Uint16Array(64);
  /** A hash table of ids: the place of each plus one, or 0. */
  #index = new Uint32Array(128);
  #order: Uint32Array | undefined;

  /** The place of an id; a new one belongs to no list. */
  place(id: string | number): number {
    // As a text that orders integers by their value.
    const key = typeof id === "string" ? id : String(BigInt(id) + 2n ** 53n).padStart(17, "0");
    const block = this.#count >>> BLOCK_BITS;
    const start = this.#startOf(this.#count);
    this.#hashes[block] ??= new Uint8Array(32 << BLOCK_BITS);
    const ids = this.#ids[block] = grown(
      this.#ids[block] ?? new Uint8Array(64),
      start + key.length * 3,
    );
    const { written } = this.#encoder.encodeInto(key, ids.subarray(start));
    this.#ends = grown(this.#ends, this.#count + 1);
    this.#ends[this.#count] = start + written;
    let at = this.#slot(this.#count);
    if (this.#index[at] > 0) return this.#index[at] - 1;
    const place = this.#count++;
    this.#index[at] = this.#count;
    this.#lists = grown(this.#lists, this.#count);
    this.#readings = grown(this.#readings, this.#count);
    this.#order = undefined;
    if (this.#count * 2 > this.#index.length) {
      this.#index = new Uint32Array(this.#index.length * 2);
      for (let place = 0; place < this.#count; place++) {
        at = this.#slot(place);
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
    this.#hashes[place >>> BLOCK_BITS].set(hash, (place & IN_BLOCK) * 32);
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
      const at = (place & IN_BLOCK) * 32;
      tree.add(this.#hashes[place >>> BLOCK_BITS].subarray(at, at + 32));
    }
    return { size: tree.size, root: tree.root() };
  }

  #startOf(place: number): number {
    return (place & IN_BLOCK) === 0 ? 0 : this.#ends[place - 1];
  }

  /** Where the id of a place is in the index, or the free slot for it. */
  #slot(place: number): number {
    const ids = this.#ids[place >>> BLOCK_BITS];
    const end = this.#ends[place];
    let hash = 0x811c9dc5;
    for (let at = this.#startOf(place); at < end; at++) {
      hash = Math.imul(hash ^ ids[at], 0x01000193);
    }
    const mask = this.#index.length - 1;
    for (let at = (hash ^ hash >>> 15) & mask;; at = at + 1 & mask) {
      const other = this.#index[at] - 1;
      if (other < 0 || this.#compare(place, other) === 0) return at;
    }
  }

  /** Compares the ids of two places, as UTF-8 and so by code points. */
  #compare(one: number, other: number): number {
    const ids = this.#ids[one >>> BLOCK_BITS];
    const others = this.#ids[other >>> BLOCK_BITS];
    const end = this.#ends[one];
    const otherEnd = this.#ends[other];
    let a = this.#startOf(one);
    let b = this.#startOf(other);
    while (a < end && b < otherEnd) {
      const difference = ids[a++] - others[b++];
      if (difference !== 0) return difference;
    }
    return (end - a) - (otherEnd - b);
  }

  /** The places sorted by id. Sorts by merging, with pauses: a service may send millions. */
  async #sorted(): Promise<Uint32Array> {
    const isAfter = (a: number, b: number) => this.#compare(a, b) > 0;
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
