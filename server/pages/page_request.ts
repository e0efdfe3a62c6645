/** What the data of a page is loaded from: a part of each request. And what every page shows. */
import type { Backend } from "../../lib/client/backend.ts";
import type { Runtime } from "../../lib/client/transport/runtime.ts";
import type { StatusDictionary } from "../../lib/runs/status.ts";
import type { Service } from "../backend/service.ts";
import type { Settings } from "../config/settings.ts";
import { ProblemError } from "../http/problem.ts";
import type { Log } from "../log/log.ts";
import { failureReason } from "../log/log_problem.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import { dictionaryFrom } from "../store/records/statuses.ts";
import type { Judging } from "../observer/judging/judging.ts";

export interface PageServices extends Pick<Service, "store" | "records"> {
  readonly settings: Settings;
  readonly judging: Judging;
  readonly runtime: Runtime;
  /** Why the request gets no records; null if it gets those that there are. */
  readonly noRecords: string | null;
}

export interface PageState {
  readonly services: PageServices;
  readonly backend: Backend;
  readonly statuses: StatusDictionary;
  readonly preferences: { readonly zone: string };
}

/** When a page is shown, and in which zone. */
export interface PageMoment {
  readonly now: number;
  readonly zone: string;
}

export interface ScheduleRequest {
  readonly params: { readonly scheduleId: string };
  readonly state: PageState;
  readonly req: Request;
}

/** What every page shows besides its own content. */
export interface ShownShell {
  /** How many incidents are open; null if nothing is watched, or the database is away. */
  readonly openIncidents: number | null;
  /** Whether the page's schedule is watched; null without records, or if they can't be read. */
  readonly isWatched: boolean | null;
  /** Whether all that the embedded service has is its sample. */
  readonly isSample: boolean;
  /** What the service's statuses mean. */
  readonly statuses: StatusDictionary;
}

/** Pages work without it, as while the database is away. */
export async function loadShell(
  services: PageServices,
  scheduleId: number | null,
  log: Log,
): Promise<ShownShell> {
  const { records, settings } = services;
  if (records) {
    try {
      const { open, sample, watched, meanings } = await records.shell(scheduleId);
      return {
        openIncidents: whyNotObserved(services) === null ? open : null,
        isWatched: watched === 1,
        isSample: sample === 1,
        statuses: dictionaryFrom(meanings),
      };
    } catch (error) {
      log.warn("What every page shows could not be read", { reason: failureReason(error) });
    }
  }
  return {
    openIncidents: null,
    isWatched: null,
    // Also for those who see no records.
    isSample: await services.store?.contents().catch(() => null) === "sample",
    statuses: dictionaryFrom({ setting: settings.statuses, said: {} }),
  };
}

/** The records, or a problem with status 404 if there are none. */
export function requireRecords(services: PageServices): ObserverRecords {
  if (services.records) return services.records;
  throw new ProblemError(404, whyNotObserved(services)!);
}
