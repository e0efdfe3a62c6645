/** The watched schedules: everybody's in the records, or the reader's own in a cookie. */
import {
  MAX_WATCHED_SCHEDULES,
  type Preferences,
  writePreferences,
} from "../../server/schedules/preferences.ts";
import { statusesToWatchBy } from "../../server/schedules/status_dictionary.ts";
import { parseScheduleIds, updateWatchList } from "../../server/schedules/watch_list.ts";
import { endWatch, restoreWatch } from "../../server/observer/end_watch.ts";
import { outletsOf } from "../../server/observer/outlets/outlets.ts";
import { whyNotObserved } from "../../server/observer/service_observer.ts";
import { watchEvent } from "../../server/store/observer/watch_events.ts";
import { ProblemError } from "../../server/http/problem.ts";
import { reasonOf } from "../../server/log/log_problem.ts";
import type { RequestLog } from "../../server/log/log.ts";
import type { Services } from "../../server/program/services.ts";

/** Who watches, and where it is remembered. */
export interface WatchState {
  readonly services: Services;
  readonly preferences: Preferences;
  /** Whether the watched schedules are in the records, and not in the cookie. */
  readonly isWatchShared: boolean;
  readonly origin: string;
}

/**
 * The preferences with everybody's watched schedules. A list from an older cookie is kept in the
 * records instead; `takesOver` means that the cookie has to be written without it.
 */
export async function sharedWatch(
  services: Services,
  preferences: Preferences,
  { log, scheduleId }: {
    readonly log: RequestLog;
    /** The schedule that the page is about, or null; it is included if it is watched. */
    readonly scheduleId: number | null;
  },
): Promise<Pick<WatchState, "preferences" | "isWatchShared"> & { readonly takesOver: boolean }> {
  const { records, settings } = services;
  if (!records || whyNotObserved(settings, services) !== null) {
    return { preferences, isWatchShared: false, takesOver: false };
  }
  const takesOver = preferences.watch.length > 0;
  try {
    if (takesOver) {
      const statuses = statusesToWatchBy(preferences.statuses);
      await records.watches.add(preferences.watch, Date.now(), { statuses });
    }
    const watch = await records.watches.firstIds(MAX_WATCHED_SCHEDULES, scheduleId);
    return { preferences: { ...preferences, watch }, isWatchShared: true, takesOver };
  } catch (error) {
    // Pages work without the records: until they are there, the list in the cookie is used.
    log.warn("The watched schedules could not be read", { reason: reasonOf(error) });
    return { preferences, isWatchShared: false, takesOver: false };
  }
}

/**
 * Changes what is watched, wherever that is stored; false if the list has no room for all. What is
 * added is watched with the reader's meanings of statuses.
 */
export async function saveWatch(
  { services, preferences, isWatchShared, origin }: WatchState,
  headers: Headers,
  { person, add, remove, undo }: {
    /** Who does it, as far as it is known. */
    readonly person: string;
    readonly add: readonly number[];
    readonly remove: string;
    /** Schedules to watch again as before. */
    readonly undo: readonly number[];
  },
): Promise<boolean> {
  if (!isWatchShared) {
    const added = [...add, ...undo];
    const watch = updateWatchList(preferences.watch, { add: added.join(","), remove });
    writePreferences(headers, { ...preferences, watch }, origin.startsWith("https:"));
    return added.every((id) => watch.includes(id));
  }
  const records = services.records!;
  const now = Date.now();
  const by = (scheduleId: number) => ({ scheduleId, person, now });
  for (const id of undo) {
    if (!await restoreWatch(records, by(id))) {
      const detail =
        `Another watch was ended since, so that of schedule ${id} can't be restored. ` +
        "Watch the schedule again, and confirm its plan if it had one";
      throw new ProblemError(409, detail);
    }
  }
  const observed = { records, outlets: outletsOf(services.settings.observer), origin };
  for (const id of parseScheduleIds(remove).ids) await endWatch(observed, by(id));
  const statuses = statusesToWatchBy(preferences.statuses);
  await records.watches.add(add, now, { statuses }, (id) => [watchEvent("watched", by(id))]);
  return true;
}

/** Lets the browser store preferences, without the schedules that everybody watches. */
export function savePreferences(
  { isWatchShared, origin }: Pick<WatchState, "isWatchShared" | "origin">,
  headers: Headers,
  preferences: Preferences,
): void {
  const own = isWatchShared ? { ...preferences, watch: [] } : preferences;
  writePreferences(headers, own, origin.startsWith("https:"));
}
