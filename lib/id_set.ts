/**
 * A set of ids that stays small when they are many.
 *
 * @module
 */

/** How many places there are at first; a power of two. */
const FIRST_PLACES = 2048;

/** How many UUIDs one block holds. */
const BLOCK = 8192;

/**
 * A set of ids. A UUID in its usual form is kept as its 128 bits, which takes a fifth of the memory
 * of its text and leaves nothing to the garbage collector; all other ids are kept as they are.
 */
export class IdSet {
  readonly #others = new Set<string | number>();
  /** Four words a UUID, in the order they came: blocks, so that growing copies nothing. */
  readonly #blocks: Int32Array[] = [];
  #uuids = 0;
  /** By hash, the number of a UUID from 1, or 0; at least half of the places are free. */
  #places = new Uint32Array(FIRST_PLACES);

  /** @param ids The first ids. */
  constructor(ids: Iterable<string | number> = []) {
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
    // Upper case is left out: two texts that differ in case are two ids.
    if (typeof id !== "string" || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) {
      const before = this.#others.size;
      return this.#others.add(id).size > before;
    }
    // Written behind the last one; it only stays there when its place is free.
    const last = this.#uuids % BLOCK * 4;
    if (last === 0 && this.#blocks.length * BLOCK === this.#uuids) {
      this.#blocks.push(new Int32Array(BLOCK * 4));
    }
    const block = this.#blocks[this.#blocks.length - 1];
    for (let at = 0, digit = 0; at < 36; at++) {
      const code = id.charCodeAt(at);
      if (code === 45) continue;
      const word = last + (digit++ >> 3);
      block[word] = block[word] << 4 | (code > 57 ? code - 87 : code - 48);
    }
    const place = this.#placeOf(block, last);
    if (this.#places[place] > 0) return false;
    this.#places[place] = ++this.#uuids;
    if (this.#uuids * 2 > this.#places.length) this.#grow();
    return true;
  }

  /** The place of the UUID whose words are given, or the free one where it belongs. */
  #placeOf(words: Int32Array, at: number): number {
    const mask = this.#places.length - 1;
    let hash = 0;
    for (let word = at; word < at + 4; word++) {
      hash = Math.imul(hash ^ words[word], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    for (let place = hash & mask;; place = (place + 1) & mask) {
      const number = this.#places[place] - 1;
      if (number < 0) return place;
      const known = this.#blocks[Math.floor(number / BLOCK)];
      const from = number % BLOCK * 4;
      let same = 0;
      while (same < 4 && known[from + same] === words[at + same]) same++;
      if (same === 4) return place;
    }
  }

  #grow(): void {
    this.#places = new Uint32Array(this.#places.length * 2);
    for (let number = 0; number < this.#uuids; number++) {
      const block = this.#blocks[Math.floor(number / BLOCK)];
      this.#places[this.#placeOf(block, number % BLOCK * 4)] = number + 1;
    }
  }
}
