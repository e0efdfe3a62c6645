/** Opens the records for a task. */
import { systemRuntime } from "../../../lib/client/transport/runtime.ts";
import { openSeparateRecords, type SeparateRecords } from "../../backend/embedded.ts";
import type { Service } from "../../backend/service.ts";
import { recordsKeys } from "../../config/data_folder.ts";
import { isInMemory, type Settings } from "../../config/settings.ts";
import { shownOrigin } from "../../http/host.ts";
import { ProblemError } from "../../http/problem.ts";
import { createLog, type Log } from "../../log/log.ts";
import { type ObserverRecords, observerRecordsOn } from "../../store/records/observer_records.ts";
import { openDatabase, systemOf } from "../../store/open.ts";
import { reconnectingDatabase } from "../../store/database/reconnecting.ts";
import { storeOn } from "../../store/store.ts";
import { settingsFor, type TaskContext, TaskError } from "../../store/tasks/task.ts";
import { claimRecords, OtherServiceError, whenAvailable } from "../service_observer.ts";

export interface TaskService extends Pick<Service, "kind" | "identity" | "store"> {
  readonly records: ObserverRecords;
  readonly settings: Settings;
  /** The origin for links: that of the latest server on these records, if any. */
  readonly origin: string;
}

/** Calls `work` with the records; if `waits`, once the database can be used. */
export async function withRecords<T>(
  context: TaskContext,
  work: (service: TaskService) => Promise<T>,
  { log = createLog({ level: "error", format: "text", write: context.report }), waits = false }: {
    readonly log?: Log;
    readonly waits?: boolean;
  } = {},
): Promise<T> {
  const settings = settingsFor(context);
  const { serviceBaseUrl } = settings;
  const opened = openRecords(settings, log);
  if (!opened) throw new TaskError("Watching needs a database: set DATABASE_URL");
  const { records, store } = opened;
  const identity = serviceBaseUrl ?? "embedded";
  try {
    const { sleep } = systemRuntime();
    const claim = () => claimRecords(records, identity);
    await (waits ? whenAvailable(claim, { log, sleep }) : claim());
    // Without the setting, that of the server stays.
    if (Object.keys(settings.statuses).length > 0) {
      await records.statuses.useSetting(settings.statuses, context.now().getTime());
    }
    return await work({
      kind: serviceBaseUrl ? "upstream" : "embedded",
      identity,
      store,
      records,
      settings,
      origin: settings.publicOrigin ?? (await records.service.get()).origin ??
        shownOrigin(settings),
    });
  } catch (error) {
    if (error instanceof OtherServiceError) throw new TaskError(error.message);
    throw error;
  } finally {
    await opened.close();
  }
}

/** Ends a task with exit code 1 and a reason. */
export function refuse(reason: string): never {
  throw new ProblemError(409, reason);
}

/** Opens the records, and the embedded service's store; null without lasting storage. */
function openRecords(
  settings: Settings,
  log: Log,
): Omit<SeparateRecords, "tokens"> & Pick<Service, "store"> | null {
  if (settings.serviceBaseUrl) {
    const separate = openSeparateRecords(settings, log);
    return separate && { ...separate, store: null };
  }
  if (isInMemory(settings)) return null;
  const database = reconnectingDatabase(
    () => openDatabase(settings, { recordsKeys: () => recordsKeys(settings) }),
    {
      system: systemOf(settings),
    },
  );
  return {
    store: storeOn(database),
    records: observerRecordsOn(database),
    close: () => database.close(),
  };
}
