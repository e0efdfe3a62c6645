/**
 * The signs of change that a walk has met.
 *
 * @module
 */

import { DriftError } from "./errors.ts";
import type { Drift, WalkOptions } from "./walk.ts";

/** How many signs of change a report keeps. */
const MOST_DRIFT = 100;

/** Keeps signs of change and passes them on. */
export interface DriftLog {
  /**
   * Takes in a sign of change.
   *
   * @param drift The sign.
   * @param words The same in words.
   * @throws {DriftError} When the caller chose that.
   */
  add(drift: Drift, words: string): void;
  /** The first signs. */
  readonly drift: readonly Drift[];
  /** Number of all signs. */
  readonly driftCount: number;
}

/**
 * Makes a log without any sign of change.
 *
 * @param onDrift Who is told, or that each sign is an error.
 * @returns The log.
 */
export function createDriftLog(onDrift: WalkOptions["onDrift"]): DriftLog {
  const drifts: Drift[] = [];
  let driftCount = 0;
  return {
    add(drift, words) {
      driftCount++;
      if (drifts.length < MOST_DRIFT) drifts.push(drift);
      if (onDrift === "throw") {
        const what = drift.kind === "contradiction"
          ? "The service contradicted itself"
          : "Rows changed";
        throw new DriftError(drift, `${what} during the walk, at ${drift.offset}: ${words}`);
      }
      onDrift?.(drift);
    },
    get drift() {
      return [...drifts];
    },
    get driftCount() {
      return driftCount;
    },
  };
}
