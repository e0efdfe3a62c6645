/** The service and the records that a task uses. */
import { type OwnRecords, ownRecords } from "../../backend/records.ts";
import type { Service } from "../../backend/service.ts";
import { isInMemory, type Settings } from "../../config/settings.ts";
import type { Log } from "../../log/log.ts";
import { type Records, recordsOn } from "../../store/observer/records.ts";
import { openEngine } from "../../store/open.ts";
import { reconnectingEngine } from "../../store/reconnecting_engine.ts";
import { storeOn } from "../../store/store.ts";
import { TaskError } from "../../store/tasks/task.ts";
import { claimRecords, OtherServiceError } from "../service_observer.ts";

/** The part of the service that tasks need. */
export type TaskService =
  & Pick<Service, "kind" | "identity" | "store">
  & { readonly records: Records };

/** Calls a function with the records that the settings name, and closes them. */
export async function withRecords<T>(
  settings: Settings,
  log: Log,
  work: (service: TaskService) => Promise<T>,
): Promise<T> {
  const { serviceBaseUrl } = settings;
  const opened = serviceBaseUrl ? upstreamRecords(settings, log) : embeddedRecords(settings);
  if (!opened) throw new TaskError("Watching needs a database: set DATABASE_URL");
  const { records, store } = opened;
  const service: TaskService = serviceBaseUrl
    ? { kind: "upstream", identity: serviceBaseUrl, store, records }
    : { kind: "embedded", identity: "embedded", store, records };
  try {
    await claimRecords(records, service.identity);
    return await work(service);
  } catch (error) {
    if (error instanceof OtherServiceError) throw new TaskError(error.message);
    throw error;
  } finally {
    await opened.close();
  }
}

/** Records, with the embedded service's data. */
type Opened = OwnRecords & Pick<Service, "store">;

function upstreamRecords(settings: Settings, log: Log): Opened | null {
  const own = ownRecords(settings, log);
  return own && { ...own, store: null };
}

function embeddedRecords(settings: Settings): Opened | null {
  if (isInMemory(settings)) return null;
  const engine = reconnectingEngine(() => openEngine(settings));
  return { store: storeOn(engine), records: recordsOn(engine), close: () => engine.close() };
}
