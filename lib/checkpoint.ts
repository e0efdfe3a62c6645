/**
 * Checkpoints of walks: which query they belong to, and whether one can be used.
 *
 * @module
 */

import { ConfigurationError } from "./errors.ts";
import type { Checkpoint } from "./walk.ts";

/**
 * A short hash of a query, 64 bits in base 36. It tells queries apart and protects nothing.
 *
 * @param query Text that tells the query from all others.
 * @returns The hash.
 */
export function hashQuery(query: string): string {
  // Two multiplicative hashes side by side; Web Crypto's would be asynchronous.
  let one = 0x811c9dc5;
  let other = 0x41c6ce57;
  for (let index = 0; index < query.length; index++) {
    one = Math.imul(one ^ query.charCodeAt(index), 0x01000193);
    other = Math.imul(other ^ query.charCodeAt(index), 0x5f356495) ^ (other >>> 13);
  }
  return [one, other].map((half) => (half >>> 0).toString(36).padStart(7, "0")).join("");
}

/**
 * Checks a checkpoint before a walk goes on from it.
 *
 * @param value The checkpoint, as it was stored.
 * @param query Hash of the walk's query.
 * @returns The checkpoint.
 * @throws {ConfigurationError} When it is damaged, of another version, or of another query.
 */
export function checkCheckpoint(value: unknown, query: string): Checkpoint {
  const refuse = (problem: string): never => {
    throw new ConfigurationError("resume", `resume ${problem}`);
  };
  const checkpoint = Object(value) as Partial<Checkpoint>;
  const { version, position, start, count, total = 0, last } = checkpoint;
  const isWhole = version === 1 && Array.isArray(last) &&
    [position, start, count, total].every((n) => Number.isSafeInteger(n) && (n as number) >= 0) &&
    last.every((id) => typeof id === "string" || Number.isSafeInteger(id));
  if (!isWhole) return refuse("must be a whole checkpoint of version 1");
  if (checkpoint.query !== query) return refuse("is a checkpoint of another query");
  return checkpoint as Checkpoint;
}
