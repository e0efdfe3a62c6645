/** Reads the older runs of a history, once, and a part at a time. */
import { walkHistory } from "../../lib/client/walks/lists.ts";
import { isDocketError } from "../../lib/errors.ts";
import type { LeasedWatch } from "../store/records/polls.ts";
import { recordHistoryRead } from "../store/records/watches.ts";
import { storeChanges } from "../store/runs/store_runs.ts";
import type { PollServices } from "./poll_services.ts";
import { toStart, watchedRun } from "./read_changes.ts";

const PAGE = 250;
/** The most pages that one poll reads, so that other polls need not wait long. */
const PAGES_AT_ONCE = 8;
const READ_WHOLE_MS = 10_000;

/**
 * Reads the next runs of a history that was never read to its end; says whether more can be read at
 * once, and whether any run was new. Those that started before `retainedSince` are left out.
 */
export async function readWhole(
  { scheduleId, historyRead }: LeasedWatch,
  { records, access, zone }: PollServices,
  { requested, retainedSince }: { readonly requested: number; readonly retainedSince: number },
): Promise<{ readonly hasMore: boolean; readonly isNew: boolean }> {
  if (historyRead === null) return { hasMore: false, isNew: false };
  let skip = historyRead;
  const signal = AbortSignal.timeout(READ_WHOLE_MS);
  const history = { limit: PAGE, skip, signal };
  let [pages, isNew] = [0, false];
  try {
    for await (const page of walkHistory(access.backend, scheduleId, history).pages()) {
      skip += page.length;
      const put = page.map((run) => watchedRun(run, zone));
      // What the poll itself has read since then is newer.
      const known = await records.runs.known(scheduleId, put.map(({ id }) => id));
      const missing = put.filter((run) => !known.has(run.id) && toStart(run) >= retainedSince);
      isNew ||= missing.length > 0;
      await records.commit([
        storeChanges(scheduleId, { put: missing }, requested),
        recordHistoryRead(scheduleId, skip),
      ]);
      if (++pages === PAGES_AT_ONCE) return { hasMore: true, isNew };
    }
  } catch (error) {
    if (!isDocketError(error)) throw error;
    // The next poll continues here. A service that repeats rows has no more to give.
    return { hasMore: pages > 0 && error.kind !== "stalled", isNew };
  }
  await records.commit([recordHistoryRead(scheduleId, null)]);
  return { hasMore: false, isNew };
}
