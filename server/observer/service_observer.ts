/** Creates the observer of the service in the settings. */
import type { Sealing } from "../auth/sealing.ts";
import type { Settings } from "../config/settings.ts";
import type { Service } from "../backend/service.ts";
import type { Log } from "../log/log.ts";
import { DatabaseError } from "../store/database/database.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";
import type { Judging } from "./judging/judging.ts";
import { directAccess, type ServiceAccess, upstreamAccess } from "./service_access.ts";
import { createObserver, type Observer, type ObserverServices } from "./observer.ts";
import { createChannels, createOutlets } from "./outlets/outlets.ts";
import type { Send } from "./outlets/outlet.ts";

const AGAIN_MS = 5000;

interface ObserverProgram {
  readonly settings: Settings;
  readonly service: Pick<Service, "identity" | "store" | "records">;
  readonly judging: Pick<Judging, "judge">;
  readonly log: Log;
  readonly now: () => number;
  readonly sealing: Sealing;
  readonly origin: string;
  readonly send?: Send;
}

/** Why nothing can be watched, as a sentence; null if watching is possible. */
export function whyNotObserved(
  { settings, records, noRecords = null }: Pick<Service, "records"> & {
    readonly settings: Pick<Settings, "observer" | "serviceBaseUrl">;
    readonly noRecords?: string | null;
  },
): string | null {
  if (!records && !noRecords) return "Watching needs a database: set DATABASE_URL";
  if (settings.serviceBaseUrl !== null && settings.observer.token === null) {
    return "The observer has no token for the service: set OBSERVER_TOKEN";
  }
  return noRecords;
}

export function observerFor(
  { settings, service, sealing, judging, log, now, origin, send }: ObserverProgram,
): { readonly observer: Observer; readonly onEvent: ObserverServices["onEvent"] } {
  const onEvent: ObserverServices["onEvent"] = (level, message, reason) =>
    log[level](message, reason === undefined ? {} : { reason });
  const records = service.records!;
  const observer = createObserver({
    records,
    access: accessTo(settings, service, now),
    judge: (question) => judging.judge(question),
    outlets: createOutlets(settings.observer),
    takesCritical: settings.observer.notifiesDefault,
    channels: createChannels({
      records,
      sealing,
      settings: settings.observer,
      ...send && { send },
    }),
    now,
    zone: settings.serviceZone,
    homeDomains: settings.homeDomains,
    everyMs: settings.observer.everyMs,
    origin,
    heartbeatUrl: settings.observer.heartbeatUrl,
    retainRunsMs: settings.retainRunsMs,
    onEvent,
  });
  return { observer, onEvent };
}

function accessTo(
  settings: Settings,
  { store, identity }: Pick<ObserverProgram["service"], "store" | "identity">,
  now: () => number,
): ServiceAccess {
  if (store) return directAccess(store);
  const { observer, serviceTokenHeader } = settings;
  return upstreamAccess({
    baseUrl: identity,
    token: observer.token!,
    tokenHeader: serviceTokenHeader,
    now,
  });
}

/** Stores which service the records belong to, and rejects records of another. */
export async function claimRecords(records: ObserverRecords, identity: string): Promise<void> {
  const claimed = await records.service.getOrStore("identity", identity);
  if (claimed === identity) return;
  throw new OtherServiceError(
    "The records in the database belong to another service; " +
      "point DATABASE_URL or DATA_DIR somewhere else",
  );
}

/** Runs `work` when the database can be used, and logs the wait once. */
export async function whenAvailable(
  work: () => Promise<void>,
  { log, sleep, signal }: {
    readonly log: Log;
    readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
    readonly signal?: AbortSignal;
  },
): Promise<void> {
  let isLogged = false;
  while (!signal?.aborted) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const { message: reason } = error;
      if (!isLogged) log.error("The observer waits for the database", { reason });
      isLogged = true;
      await sleep(AGAIN_MS, signal).catch(() => {});
    }
  }
}

export class OtherServiceError extends Error {
  override readonly name = "OtherServiceError";
}
