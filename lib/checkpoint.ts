/**
 * Checkpoints of walks: which query they belong to, and whether one can be used.
 *
 * @module
 */

import { ConfigurationError } from "./errors.ts";
import type { Checkpoint } from "./walk.ts";

/**
 * A short hash of a query, 53 bits in base 36. It tells queries apart and protects nothing.
 *
 * @param query Text that tells the query from all others.
 * @returns The hash.
 */
export function hashQuery(query: string): string {
  // Two multiplicative hashes side by side; Web Crypto's would be asynchronous.
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < query.length; index++) {
    const unit = query.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (0x100000000 * (0x1fffff & high) + (low >>> 0)).toString(36);
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
  if (typeof value !== "object" || value === null) return refuse("must be a checkpoint of a walk");
  const checkpoint = value as Partial<Checkpoint>;
  if (checkpoint.version !== 1) {
    return refuse(`must be a checkpoint of version 1, but is of another version`);
  }
  const { position, start, count, total, last } = checkpoint;
  const isCount = (number: unknown) => Number.isSafeInteger(number) && (number as number) >= 0;
  const isWhole = isCount(position) && isCount(start) && isCount(count) &&
    (total === undefined || isCount(total)) && Array.isArray(last) &&
    last.every((id) => typeof id === "string" || Number.isSafeInteger(id));
  if (!isWhole) return refuse("is a damaged checkpoint; start the walk from the beginning");
  if (checkpoint.query !== query) {
    return refuse("is a checkpoint of another query; use it with the query it was made for");
  }
  return checkpoint as Checkpoint;
}
