/** A table of a pack's ids and leaf hashes: some 80 bytes a row, so a million fit in memory. */
import { TreeHash } from "./tree_hash.ts";

/** Sorting and hashing pause after this many steps, which take a few milliseconds. */
const STEPS = 4000;
/** Ids and hashes are in blocks of 4096: growing one large array would need twice its memory. */
const BLOCK_BITS = 12;
const IN_BLOCK = 2 ** BLOCK_BITS - 1;

/** The ids of rows by index, each with its list, its latest reading and its latest leaf hash. */
export class LeafTable {
  #count = 0;
  readonly #encoder = new TextEncoder();
  /** The ids in UTF-8, one after the other, and where each ends in its block. */
  readonly #ids: Uint8Array[] = [];
  #ends = new Uint32Array(64);
  readonly #hashes: Uint8Array[] = [];
  #lists = new Uint16Array(64);
  #readings = new Uint16Array(64);
  /** A hash table of ids: in each slot the index of an id plus one, or 0. */
  #hashTable = new Uint32Array(128);
  #order: Uint32Array | undefined;

  /** The index of an id, which is added if it is new. */
  indexOf(id: string | number): number {
    // Integers are padded, so that their texts sort by value.
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
    const slot = this.#slotOf(this.#count);
    if (this.#hashTable[slot] > 0) return this.#hashTable[slot] - 1;
    const index = this.#count++;
    this.#hashTable[slot] = this.#count;
    this.#lists = grown(this.#lists, this.#count);
    this.#readings = grown(this.#readings, this.#count);
    this.#order = undefined;
    if (this.#count * 2 > this.#hashTable.length) {
      this.#hashTable = new Uint32Array(this.#hashTable.length * 2);
      for (let each = 0; each < this.#count; each++) this.#hashTable[this.#slotOf(each)] = each + 1;
    }
    return index;
  }

  /** The list of the id at an index; 0 for none. */
  listOf(index: number): number {
    return this.#lists[index];
  }

  setList(index: number, list: number): void {
    this.#lists[index] = list;
  }

  /** Adds the row of an id to a reading (from 1); returns false if the reading already had it. */
  addRow(index: number, reading: number, hash: Uint8Array): boolean {
    if (this.#readings[index] === reading) return false;
    this.#readings[index] = reading;
    this.#hashes[index >>> BLOCK_BITS].set(hash, (index & IN_BLOCK) * 32);
    return true;
  }

  /** The number and the root of a reading's rows, sorted by id; if given, only those of `list`. */
  async rootOf(reading: number, list?: number): Promise<{ size: number; root: string }> {
    this.#order ??= await this.#sorted();
    const tree = new TreeHash();
    for (const [step, index] of this.#order.entries()) {
      if (step % STEPS === STEPS - 1) await pause();
      if (this.#readings[index] !== reading) continue;
      if (list !== undefined && this.#lists[index] !== list) continue;
      const start = (index & IN_BLOCK) * 32;
      tree.add(this.#hashes[index >>> BLOCK_BITS].subarray(start, start + 32));
    }
    return { size: tree.size, root: tree.root() };
  }

  #startOf(index: number): number {
    return (index & IN_BLOCK) === 0 ? 0 : this.#ends[index - 1];
  }

  /** The slot of the hash table that has the id at an index, or is free for it. */
  #slotOf(index: number): number {
    const ids = this.#ids[index >>> BLOCK_BITS];
    const end = this.#ends[index];
    let hash = 0x811c9dc5;
    for (let at = this.#startOf(index); at < end; at++) {
      hash = Math.imul(hash ^ ids[at], 0x01000193);
    }
    const mask = this.#hashTable.length - 1;
    for (let slot = (hash ^ hash >>> 15) & mask;; slot = slot + 1 & mask) {
      const other = this.#hashTable[slot] - 1;
      if (other < 0 || this.#compare(index, other) === 0) return slot;
    }
  }

  /** Compares the ids at two indexes as UTF-8, and so by code points. */
  #compare(index: number, other: number): number {
    const ids = this.#ids[index >>> BLOCK_BITS];
    const others = this.#ids[other >>> BLOCK_BITS];
    const end = this.#ends[index];
    const otherEnd = this.#ends[other];
    let a = this.#startOf(index);
    let b = this.#startOf(other);
    while (a < end && b < otherEnd) {
      const difference = ids[a++] - others[b++];
      if (difference !== 0) return difference;
    }
    return (end - a) - (otherEnd - b);
  }

  /** The indexes sorted by id. Merges sorted parts, with pauses, because there may be millions. */
  async #sorted(): Promise<Uint32Array> {
    const isAfter = (a: number, b: number) => this.#compare(a, b) > 0;
    let from = new Uint32Array(this.#count);
    // Services mostly send rows in order, so there are few parts.
    let starts = [0];
    for (let index = 1; index < this.#count; index++) {
      if (index % STEPS === 0) await pause();
      from[index] = index;
      if (isAfter(index - 1, index)) starts.push(index);
    }
    let into = starts.length > 1 ? new Uint32Array(this.#count) : from;
    while (starts.length > 1) {
      const merged: number[] = [];
      for (let part = 0; part < starts.length; part += 2) {
        const start = starts[part];
        const middle = starts[part + 1] ?? this.#count;
        const end = starts[part + 2] ?? this.#count;
        for (let to = start, a = start, b = middle; to < end; to++) {
          if (to % STEPS === STEPS - 1) await pause();
          const isFromSecond = a === middle || (b < end && isAfter(from[a], from[b]));
          into[to] = from[isFromSecond ? b++ : a++];
        }
        merged.push(start);
      }
      [from, into, starts] = [into, from, merged];
    }
    return from;
  }
}

/** Grows an array to a length, and frees the old one without waiting for garbage collection. */
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
