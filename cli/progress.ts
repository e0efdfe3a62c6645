/**
 * A line that says how far a long walk is, for a person at a terminal.
 *
 * @module
 */

import type { WalkReport } from "../lib/mod.ts";
import type { Output } from "./io.ts";

/** How often the line changes at most, in milliseconds. */
const PAUSE_MS = 200;

/** The line. */
export interface ProgressLine {
  /** Says how far the walk is. */
  show(report: WalkReport): Promise<void>;
  /** Takes the line away. */
  clear(): Promise<void>;
}

/**
 * Makes the line; without a terminal it says nothing.
 *
 * @param err Standard error.
 * @param now Milliseconds.
 * @returns The line.
 */
export function createProgress(
  err: Output,
  now: () => number = () => performance.now(),
): ProgressLine {
  let shownAt = -Infinity;
  return {
    async show({ items, total }) {
      if (!err.isTerminal || now() - shownAt < PAUSE_MS) return;
      shownAt = now();
      await err.write(`\r${items}${total === undefined ? "" : ` of ${total}`} rows\x1b[K`);
    },
    async clear() {
      if (shownAt > -Infinity) await err.write("\r\x1b[K");
    },
  };
}
