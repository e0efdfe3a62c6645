/** Checkpoints of walks: which query they belong to, and whether one can be used. */
import { check, isCount } from "../../check.ts";
import type { Checkpoint } from "./walk.ts";

/** A short hash that distinguishes queries. It is not cryptographic. */
export function hashQuery(query: string): string {
  let hash = 0;
  // Not with Web Crypto, which is asynchronous.
  for (const letter of query) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  return `${query.length}.${hash}`;
}

/** Whether a value can be the id of a row: a text, or an exact integer. */
export function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Throws a ConfigurationError if a checkpoint is damaged, or of another query. */
export function checkCheckpoint(value: unknown, query: string): asserts value is Checkpoint {
  const { version, position, start, count, total = 0, last, query: itsQuery } = Object(value);
  const isWhole = version === 1 && Array.isArray(last) &&
    [position, start, count, total].every(isCount) &&
    last.every(isId);
  check(isWhole, "resume", "a whole checkpoint");
  check(itsQuery === query, "resume", "a checkpoint of the same query");
}
