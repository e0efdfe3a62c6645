/** The schedules that are watched: for everybody in the records, or in the reader's own cookie. */
import {
  MAX_WATCHED_SCHEDULES,
  type Preferences,
  writePreferences,
} from "../../server/schedules/preferences.ts";
import { whyNotObserved } from "../../server/observer/service_observer.ts";
import { reasonOf } from "../../server/log/log_problem.ts";
import type { RequestLog } from "../../server/log/log.ts";
import type { Services } from "../../server/program/services.ts";

/** Who watches, and where it is remembered. */
export interface WatchState {
  readonly services: Services;
  readonly preferences: Preferences;
  /** Whether the watched schedules stand in the records, and not in the cookie. */
  readonly isWatchShared: boolean;
  readonly origin: string;
}

/**
 * The preferences with the schedules that everybody watches. A list in the cookie, where they were
 * before, is taken over; `takesOver` says that the cookie has to be written without it.
 */
export async function sharedWatch(
  services: Services,
  preferences: Preferences,
  log: RequestLog,
): Promise<Pick<WatchState, "preferences" | "isWatchShared"> & { readonly takesOver: boolean }> {
  const { records, settings } = services;
  if (!records || whyNotObserved(settings, services) !== null) {
    return { preferences, isWatchShared: false, takesOver: false };
  }
  const takesOver = preferences.watch.length > 0;
  try {
    if (takesOver) await records.watches.add(preferences.watch, Date.now());
    const watches = await records.watches.list();
    const watch = watches.slice(0, MAX_WATCHED_SCHEDULES).map(({ scheduleId }) => scheduleId);
    return { preferences: { ...preferences, watch }, isWatchShared: true, takesOver };
  } catch (error) {
    // Pages work without: the list in the cookie stands in until the records are there.
    log.warn("The watched schedules could not be read", { reason: reasonOf(error) });
    return { preferences, isWatchShared: false, takesOver: false };
  }
}

/** Changes what is watched, where it is remembered. */
export async function saveWatch(
  { services, preferences, isWatchShared, origin }: WatchState,
  headers: Headers,
  watch: readonly number[],
): Promise<void> {
  if (!isWatchShared) {
    writePreferences(headers, { ...preferences, watch }, origin.startsWith("https:"));
    return;
  }
  const { watches } = services.records!;
  const added = watch.filter((id) => !preferences.watch.includes(id));
  await watches.add(added, Date.now());
  for (const id of preferences.watch.filter((id) => !watch.includes(id))) await watches.remove(id);
}

/** Has the browser remember preferences; what everybody watches is none of them. */
export function savePreferences(
  { isWatchShared, origin }: Pick<WatchState, "isWatchShared" | "origin">,
  headers: Headers,
  preferences: Preferences,
): void {
  const own = isWatchShared ? { ...preferences, watch: [] } : preferences;
  writePreferences(headers, own, origin.startsWith("https:"));
}
