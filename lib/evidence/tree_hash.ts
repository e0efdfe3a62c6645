/** The Merkle tree hash of RFC 6962, section 2.1, with SHA-256. */
import { sha256 } from "@noble/hashes/sha2.js";

const FRESH = sha256.create();
let state = FRESH.clone();

/** SHA-256. It reuses its state, because making one takes as long as hashing a row. */
function sha256Of(bytes: Uint8Array): Uint8Array {
  state = FRESH._cloneInto(state);
  const digest = new Uint8Array(32);
  state.update(bytes).digestInto(digest);
  return digest;
}

/** Returns a function that hashes leaves: a zero byte and a text in UTF-8. */
export function leafHasher(): (text: string) => Uint8Array {
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(4096);
  return (text) => {
    // A UTF-16 code unit takes at most three bytes.
    if (bytes.length <= text.length * 3) bytes = new Uint8Array(text.length * 3 + 1);
    const { written } = encoder.encodeInto(text, bytes.subarray(1));
    return sha256Of(bytes.subarray(0, written + 1));
  };
}

/** A tree to which leaves are added one by one; it stores at most one hash for each level. */
export class TreeHash {
  /** The roots of the complete subtrees so far, largest first. */
  readonly #roots: Uint8Array[] = [];
  size = 0;

  add(leaf: Uint8Array): void {
    this.#roots.push(leaf);
    // Each factor of two in the number of leaves completes a subtree.
    for (let size = ++this.size; size % 2 === 0; size /= 2) this.#join();
  }

  /** The root in hexadecimal digits. After this, no leaf can be added. */
  root(): string {
    while (this.#roots.length > 1) this.#join();
    return toHex(this.#roots[0] ?? sha256(new Uint8Array()));
  }

  #join(): void {
    const right = this.#roots.pop()!;
    const node = new Uint8Array(65);
    node[0] = 1;
    node.set(this.#roots.pop()!, 1);
    node.set(right, 33);
    this.#roots.push(sha256Of(node));
  }
}

/** Bytes in lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
