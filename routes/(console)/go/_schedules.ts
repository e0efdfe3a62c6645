/** The watched schedules that can be found by name. */
import { type FoundSchedules, scheduleEntry } from "../../../components/page/go/entries.ts";
import type { WatchState } from "../_watches.ts";

/** How many are offered at once: nobody would read more. */
const MOST = 8;

/** Watched schedules whose name, owner or id matches, most severe first. */
export async function findSchedules(
  { services, preferences, isWatchShared }: Omit<WatchState, "origin">,
  text: string,
): Promise<FoundSchedules> {
  if (isWatchShared) {
    const filter = { text: text || undefined, limit: MOST, offset: 0 };
    const { items, total } = await services.records!.overview.list(filter);
    const entries = items.map(({ scheduleId, name, reportTitle, state }) =>
      scheduleEntry(scheduleId, name, [reportTitle, state].filter(Boolean).join(" · "))
    );
    return { entries, total };
  }
  // The reader's own list has only ids.
  const ids = preferences.watch.filter((id) => String(id).includes(text));
  return { entries: ids.slice(0, MOST).map((id) => scheduleEntry(id)), total: ids.length };
}
