/**
 * A set of ids that stays small when they are many.
 *
 * @module
 */

/** How many places there are at first; a power of two. */
const FIRST_PLACES = 2048;

/** How many UUIDs one block holds. */
const BLOCK = 8192;

/** A code that no hexadecimal digit has. */
const NO_DIGIT = 0xff;

/**
 * A set of ids. A UUID in its usual form is kept as its 128 bits, which takes a fifth of the memory
 * of its text and leaves nothing to the garbage collector; all other ids are kept as they are.
 */
export class IdSet {
  readonly #others = new Set<string | number>();
  readonly #digits = new Uint8Array(256).fill(NO_DIGIT);
  /** Four words a UUID, in the order they came: blocks, so that growing copies nothing. */
  readonly #blocks: Uint32Array[] = [];
  #uuids = 0;
  /** By hash, the number of a UUID from 1, or 0; at least half of the places are free. */
  #places = new Uint32Array(FIRST_PLACES);
  /** Eight more bits of the hash, which spare most looks at the words of another UUID. */
  #tags = new Uint8Array(FIRST_PLACES);

  /** @param ids The first ids. */
  constructor(ids: Iterable<string | number> = []) {
    // Upper case is left out: two texts that differ in case are two ids.
    for (let digit = 0; digit < 16; digit++) this.#digits[digit.toString(16).charCodeAt(0)] = digit;
    for (const id of ids) this.add(id);
  }

  /** Number of ids. */
  get size(): number {
    return this.#uuids + this.#others.size;
  }

  /**
   * Puts an id in.
   *
   * @param id The id.
   * @returns Whether it was not there before.
   */
  add(id: string | number): boolean {
    if (typeof id === "string" && id.length === 36 && isGrouped(id)) {
      const digits = this.#digits;
      const first = word(id, 0, digits);
      const second = half(id, 9, digits) * 0x10000 + half(id, 14, digits);
      const third = half(id, 19, digits) * 0x10000 + half(id, 24, digits);
      const fourth = word(id, 28, digits);
      if (first >= 0 && second >= 0 && third >= 0 && fourth >= 0) {
        return this.#put(first, second, third, fourth);
      }
    }
    const before = this.#others.size;
    return this.#others.add(id).size > before;
  }

  #put(first: number, second: number, third: number, fourth: number): boolean {
    const places = this.#places;
    const tags = this.#tags;
    const mask = places.length - 1;
    const hash = hashOf(first, second, third, fourth);
    const tag = hash >>> 24;
    let place = hash & mask;
    for (; places[place] !== 0; place = (place + 1) & mask) {
      if (tags[place] !== tag) continue;
      const number = places[place] - 1;
      const block = this.#blocks[Math.floor(number / BLOCK)];
      const at = (number % BLOCK) * 4;
      if (
        block[at] === first && block[at + 1] === second && block[at + 2] === third &&
        block[at + 3] === fourth
      ) return false;
    }
    const at = (this.#uuids % BLOCK) * 4;
    if (at === 0) this.#blocks.push(new Uint32Array(BLOCK * 4));
    const block = this.#blocks[this.#blocks.length - 1];
    block[at] = first;
    block[at + 1] = second;
    block[at + 2] = third;
    block[at + 3] = fourth;
    places[place] = ++this.#uuids;
    tags[place] = tag;
    if (this.#uuids * 2 > places.length) this.#grow();
    return true;
  }

  #grow(): void {
    const length = this.#places.length * 2;
    const places = this.#places = new Uint32Array(length);
    const tags = this.#tags = new Uint8Array(length);
    for (let number = 0; number < this.#uuids; number++) {
      const block = this.#blocks[Math.floor(number / BLOCK)];
      const at = (number % BLOCK) * 4;
      const hash = hashOf(block[at], block[at + 1], block[at + 2], block[at + 3]);
      let place = hash & (length - 1);
      while (places[place] !== 0) place = (place + 1) & (length - 1);
      places[place] = number + 1;
      tags[place] = hash >>> 24;
    }
  }
}

/** Whether the marks stand where a UUID has them. */
function isGrouped(id: string): boolean {
  return id.charCodeAt(8) === 45 && id.charCodeAt(13) === 45 && id.charCodeAt(18) === 45 &&
    id.charCodeAt(23) === 45;
}

/** Eight digits as a number, NaN when one is none. */
function word(id: string, from: number, digits: Uint8Array): number {
  return half(id, from, digits) * 0x10000 + half(id, from + 4, digits);
}

/** Four digits as a number, NaN when one is none. */
function half(id: string, from: number, digits: Uint8Array): number {
  const a = id.charCodeAt(from);
  const b = id.charCodeAt(from + 1);
  const c = id.charCodeAt(from + 2);
  const d = id.charCodeAt(from + 3);
  const first = digits[a & 0xff];
  const second = digits[b & 0xff];
  const third = digits[c & 0xff];
  const fourth = digits[d & 0xff];
  if ((a | b | c | d) > 0xff || (first | second | third | fourth) > 15) return NaN;
  return first << 12 | second << 8 | third << 4 | fourth;
}

function hashOf(first: number, second: number, third: number, fourth: number): number {
  const hash = Math.imul(first ^ Math.imul(second, 0x9e3779b1), 0x85ebca6b) ^
    Math.imul(third ^ Math.imul(fourth, 0x9e3779b1), 0xc2b2ae35);
  return hash ^ (hash >>> 15);
}
