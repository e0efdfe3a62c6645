/** Reads a schedule's whole history once; afterwards, polls read what is new. */
import { walkHistory } from "../../../lib/client/walks/lists.ts";
import { setText } from "../../store/observer/values.ts";
import { watchedRun } from "./read_changes.ts";
import type { PollServices } from "./judge_stored_runs.ts";

const PAGE = 250;
/** How many more pages a poll reads, so that other polls need not wait long. */
const PAGES_AT_ONCE = 8;
const READ_MS = 10_000;
const WHOLE = "whole";

/** Reads the next runs of a history that was never read to its end; true if more are left. */
export async function readWhole(
  scheduleId: number,
  isWhole: boolean,
  { records, access, zone, now }: PollServices,
): Promise<boolean> {
  // The embedded service's runs are in the ledger themselves.
  if (access.clock === null) return false;
  const name = `history read/${scheduleId}`;
  const place = await records.values.text(name);
  if (place === WHOLE) return false;
  if (isWhole) {
    await records.commit([setText(name, WHOLE)]);
    return false;
  }
  let skip = Number(place ?? 0);
  const signal = AbortSignal.timeout(READ_MS);
  const history = { limit: PAGE, skip, signal };
  let pages = 0;
  try {
    for await (const page of walkHistory(access.backend, scheduleId, history).pages()) {
      skip += page.length;
      const put = page.map((run) => watchedRun(run, zone));
      // What the poll itself has read since then is newer.
      const known = new Set(await records.runs.known(scheduleId, put.map(({ id }) => id)));
      const missing = put.filter(({ id }) => !known.has(id));
      await records.commit([
        ...await records.runs.changeSteps(scheduleId, { put: missing }, now()),
        setText(name, String(skip)),
      ]);
      if (++pages === PAGES_AT_ONCE) return true;
    }
  } catch {
    // The next poll continues here, and reports the error if it lasts.
    return false;
  }
  await records.commit([setText(name, WHOLE)]);
  return false;
}
