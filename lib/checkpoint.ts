/**
 * Checkpoints of walks: whether one can be used.
 *
 * @module
 */

import { check, isCount } from "./check.ts";
import type { Checkpoint } from "./walk.ts";

/**
 * Checks a checkpoint before a walk goes on from it.
 *
 * @param value The checkpoint, as it was stored.
 * @param query The walk's query.
 * @throws {ConfigurationError} When it is damaged, of another version, or of another query.
 */
export function checkCheckpoint(value: unknown, query: string): asserts value is Checkpoint {
  const { version, position, start, count, total = 0, last, query: own } = Object(value);
  const isWhole = version === 1 && Array.isArray(last) &&
    [position, start, count, total].every(isCount) &&
    last.every((id) => typeof id === "string" || Number.isSafeInteger(id));
  const expected = "a whole checkpoint of version 1, and not of another query";
  check(isWhole && own === query, "resume", expected);
}
