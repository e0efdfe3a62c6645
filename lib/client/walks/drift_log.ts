/** Logs the drift that a walk sees. */
import { type Drift, DriftError } from "../../errors.ts";
import type { WalkOptions } from "./walk.ts";

const MOST_DRIFT = 100;

export type DriftLog = ReturnType<typeof createDriftLog>;

/** Logs drift and passes it to the caller. */
export function createDriftLog(onDrift: WalkOptions["onDrift"]) {
  const drifts: Drift[] = [];
  let driftCount = 0;
  return {
    /** Adds an entry; throws a DriftError when the caller chose that. */
    add(drift: Drift, words: string): void {
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
    get drift(): readonly Drift[] {
      return [...drifts];
    },
    get driftCount(): number {
      return driftCount;
    },
  };
}
