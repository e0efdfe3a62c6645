/** A set of ids that stays small when they are many. */
import type { AddId } from "./memory.ts";

/**
 * Makes a set of ids, for the option `addId` of a walk. A UUID in its usual form is kept as its 128 bits, which takes a fifth of the
 * memory of its text and leaves nothing to the garbage collector; all other ids are kept as they
 * are.
 *
 * @returns Adds an id, and says whether it is new.
 */
export function createIdSet(): AddId {
  const others = new Set<string | number>();
  /** Four words a UUID, in the order they came. */
  let words = new Int32Array(4096);
  let end = 0;
  /** By hash, where a UUID begins, from 1, or 0; at least half of the places are free. */
  let places = new Uint32Array(2048);

  /** The place of the UUID that begins there, or the free one where it belongs. */
  const placeOf = (begin: number): number => {
    let place = 0;
    for (let word = begin; word < begin + 4; word++) {
      place = Math.imul(place ^ words[word], 0x9e3779b1);
      place ^= place >>> 15;
    }
    for (;; place++) {
      place &= places.length - 1;
      let same = 0;
      while (same < 4 && words[places[place] - 1 + same] === words[begin + same]) same++;
      if (places[place] === 0 || same === 4) return place;
    }
  };
  /** Makes room for twice as many. */
  const grow = () => {
    const old = words;
    words = new Int32Array(old.length * 2);
    words.set(old);
    places = new Uint32Array(places.length * 2);
    for (let begin = 0; begin < end; begin += 4) places[placeOf(begin)] = begin + 1;
  };

  return (id) => {
    // Upper case is left out: two texts that differ in case are two ids.
    if (typeof id !== "string" || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) {
      const before = others.size;
      return others.add(id).size > before;
    }
    // Written behind the last one; it only stays there when its place is free.
    for (let at = 0, digit = end * 8; at < 36; at++) {
      const code = id.charCodeAt(at);
      if (code === 45) continue;
      const word = digit++ >> 3;
      // The letters come 49 after the digit 0, and their low bits count from 1.
      words[word] = words[word] << 4 | (code & 15) + (code >> 6) * 9;
    }
    const place = placeOf(end);
    if (places[place] > 0) return false;
    places[place] = end + 1;
    end += 4;
    if (end === words.length) grow();
    return true;
  };
}
