/** The drift that a walk has seen. */
import { DriftError } from "../errors.ts";
import type { Drift, WalkOptions } from "./walk.ts";

/** How many entries a report keeps. */
const MOST_DRIFT = 100;

/** Keeps drift and passes it on. */
export interface DriftLog {
  /**
   * Adds an entry.
   *
   * @throws {DriftError} When the caller chose that.
   */
  add(drift: Drift, words: string): void;
  /** The first entries. */
  readonly drift: readonly Drift[];
  /** Number of all entries. */
  readonly driftCount: number;
}

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
