/**
 * Fills a store with the sample.
 *
 * @module
 */

import type { Store } from "../store.ts";
import { shiftFor } from "./clock.ts";
import { sampleFileSets } from "./file_sets.ts";
import { sampleRuns } from "./runs.ts";
import { STORIES } from "./stories.ts";

/** How much of the sample to make, and for which day. */
export interface SampleOptions {
  /** The newest row is of the day before. Default: the present. */
  readonly now?: Date;
  /** Number of file sets. Default: 5,000. */
  readonly fileSets?: number;
  /** Number of schedules. Default: 12. */
  readonly schedules?: number;
  /** Number of runs of each schedule that ran. Default: 400. */
  readonly runs?: number;
}

/** Puts the sample into a store, all or nothing. */
export async function fillWithSample(store: Store, options: SampleOptions = {}): Promise<void> {
  const { now = new Date(), fileSets = 5_000, schedules = STORIES.length, runs = 400 } = options;
  const shift = shiftFor(now);
  const ids = Array.from({ length: schedules }, (_, index) => STORIES[0].scheduleId + index);
  await store.put({
    fileSets: [...sampleFileSets(fileSets, shift)],
    schedules: ids,
    runs: ids.flatMap((scheduleId) =>
      sampleRuns(scheduleId, runs, shift).map((run) => ({ scheduleId, run }))
    ),
  });
}
