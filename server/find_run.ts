/** Finds one run: the interface has no operation for it, so its schedule's history is walked. */
import type { Backend } from "../lib/backend.ts";
import { walk } from "../lib/paging.ts";
import type { ReportRun } from "../lib/types.ts";

/** How far the walk goes. */
export const FIND_RUN = { runs: 1000, ms: 5000, limit: 250 } as const;

/** What the walk found. */
export interface FoundRun {
  /** The run, or null where it is not among those that were read. */
  readonly run: ReportRun | null;
  /** Number of runs that were read. */
  readonly read: number;
  /** Whether that were all, so that a run that was not found does not exist. */
  readonly all: boolean;
}

/** Walks a history until the run is found, within {@linkcode FIND_RUN}. */
export async function findRun(
  backend: Backend,
  scheduleId: number,
  runId: number,
  signal?: AbortSignal,
): Promise<FoundRun> {
  const runs = walk<readonly ReportRun[], ReportRun>({
    getPage: ({ offset, limit, signal }) =>
      backend.reportSchedules.history(scheduleId, { limit, skip: offset, signal }),
    read: (items) => ({ items }),
    idOf: (run) => run.id,
    query: `history ${scheduleId}`,
    limit: FIND_RUN.limit,
    offset: 0,
  }, { deadlineMs: FIND_RUN.ms, signal });
  let read = 0;
  for await (const run of runs) {
    if (run.id === runId) return { run, read, all: false };
    if (++read === FIND_RUN.runs) return { run: null, read, all: false };
  }
  return { run: null, read, all: true };
}
