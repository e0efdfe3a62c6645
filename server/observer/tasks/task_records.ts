/** The service and the records that a task works with. */
import { systemRuntime } from "../../../lib/runtime.ts";
import { embeddedService } from "../../backend/embedded.ts";
import { ownRecords } from "../../backend/records.ts";
import type { Service } from "../../backend/service.ts";
import { upstreamService } from "../../backend/upstream.ts";
import type { Settings } from "../../config/settings.ts";
import type { Log } from "../../log/log.ts";
import type { Records } from "../../store/observer/records.ts";
import { TaskError } from "../../store/tasks/task.ts";
import { claimRecords, OtherServiceError } from "../service_observer.ts";

/** What a task works with. */
export interface TaskRecords {
  readonly service: Service;
  readonly records: Records;
}

/** Does work with the records that the settings name, and closes them. */
export async function withRecords<T>(
  settings: Settings,
  log: Log,
  work: (found: TaskRecords) => Promise<T>,
): Promise<T> {
  const service = settings.serviceBaseUrl
    ? upstreamService(
      settings.serviceBaseUrl,
      settings,
      systemRuntime(),
      ownRecords(settings, log),
    )
    : embeddedService(settings, log);
  const { records } = service;
  if (!records) throw new TaskError("There is no place to keep watches: set DATABASE_URL");
  try {
    await service.open();
    await claimRecords(records, service.identity);
    return await work({ service, records });
  } catch (error) {
    if (error instanceof OtherServiceError) throw new TaskError(error.message);
    throw error;
  } finally {
    await service.close();
  }
}
