/** Fills a store with the sample. */
import type { Changes, Store } from "../store.ts";
import { DAY } from "../../../lib/time_units.ts";
import type { FileSet } from "../../../lib/types.ts";
import { dayOf, sampleFileSets } from "./file_sets.ts";
import { sampleRuns, STORIES } from "./sample_runs.ts";

interface SampleOptions {
  /** Nothing is newer, and the newest file set is from the day before. Default: the current time. */
  readonly now?: Date;
  readonly fileSets?: number;
  readonly schedules?: number;
  /** Number of runs of each schedule that ran. Default: 400. */
  readonly runs?: number;
}

const BATCH_SIZE = 10_000;

/** The sample in batches, each small enough for one transaction. */
export function* sampleBatches(options: SampleOptions): Generator<Changes> {
  const { now = new Date(), fileSets = 5_000, schedules = STORIES.length, runs = 400 } = options;
  let batch: FileSet[] = [];
  for (const fileSet of sampleFileSets(fileSets, dayOf(now) - DAY)) {
    batch.push(fileSet);
    if (batch.length < BATCH_SIZE) continue;
    yield { fileSets: batch };
    batch = [];
  }
  yield { fileSets: batch };
  for (let index = 0; index < schedules; index++) {
    const scheduleId = STORIES[0].scheduleId + index;
    yield {
      schedules: [scheduleId],
      runs: sampleRuns(scheduleId, runs, now).map((run) => ({ scheduleId, run })),
    };
  }
}

/** Puts the sample into a store, all or nothing. */
export async function fillWithSample(store: Store, options: SampleOptions = {}): Promise<void> {
  const batches = [...sampleBatches(options)];
  await store.put({
    fileSets: batches.flatMap((batch) => batch.fileSets ?? []),
    schedules: batches.flatMap((batch) => batch.schedules ?? []),
    runs: batches.flatMap((batch) => batch.runs ?? []),
    contents: "sample",
  });
}
