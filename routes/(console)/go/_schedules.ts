/** The watched schedules that can be found by name. */
import { type FoundSchedules, scheduleEntry } from "../../../components/page/go/entries.ts";
import type { WatchState } from "../_watches.ts";

/** How many are offered at once: nobody would read more. */
const MOST = 8;
/** The most characters of a text to look for. */
export const MAX_TEXT = 100;

/** The typed text, in a request's query. */
export function typedText({ searchParams }: URL): string {
  return searchParams.get("q")?.trim().slice(0, MAX_TEXT) ?? "";
}

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
