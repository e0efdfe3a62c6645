import type { Checkpoint, Walk, WalkOptions } from "../../../lib/mod.ts";
import { isDocketError } from "../../../lib/errors.ts";

/**
 * Walks on from a checkpoint. One that the client rejects, such as one that was kept by another
 * version, is left out: to copy again does no harm, and to stop for ever would.
 */
export function walkOn<Page, Item>(
  list: { walk(options?: WalkOptions): Walk<Page, Item> },
  checkpoint: Checkpoint | undefined,
  options: WalkOptions = {},
): Walk<Page, Item> {
  if (!checkpoint) return list.walk(options);
  try {
    return list.walk({ ...options, resume: checkpoint });
  } catch (error) {
    const isRejected = isDocketError(error) && error.kind === "configuration" &&
      error.parameter === "resume";
    if (!isRejected) throw error;
    return list.walk(options);
  }
}
