/** What the data of a page is loaded from: a part of each request. */
import type { Backend } from "../../lib/client/backend.ts";
import type { Runtime } from "../../lib/client/transport/runtime.ts";
import type { LoadedRuns } from "../../lib/runs/load_runs.ts";
import type { StatusDictionary } from "../../lib/runs/status.ts";
import type { LRUCache } from "lru-cache";
import type { Service } from "../backend/service.ts";
import type { Settings } from "../config/settings.ts";
import { ProblemError } from "../http/problem.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { Judging } from "../observer/judging/judging.ts";

export interface PageServices extends Pick<Service, "store" | "records"> {
  readonly settings: Settings;
  readonly judging: Judging;
  readonly runtime: Runtime;
  readonly runCache: LRUCache<string, LoadedRuns>;
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

/** For the navigation, which works without it: null if nothing is watched, or the database is away. */
export async function countOpenIncidents(services: PageServices): Promise<number | null> {
  if (whyNotObserved(services) !== null) return null;
  try {
    const { critical, warning } = await services.records!.incidents.countOpen();
    return critical + warning;
  } catch {
    return null;
  }
}

/** The records, or a problem with status 404 if there are none. */
export function requireRecords(services: PageServices): ObserverRecords {
  if (services.records) return services.records;
  throw new ProblemError(404, whyNotObserved(services)!);
}
