/** The service and the records that a task uses. */
import { systemRuntime } from "../../../lib/client/transport/runtime.ts";
import { type OwnRecords, ownRecords } from "../../backend/own_records.ts";
import type { Service } from "../../backend/service.ts";
import { isInMemory, type Settings } from "../../config/settings.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { originOf } from "../../http/host.ts";
import { isProblemError } from "../../http/problem.ts";
import { createLog, type Log } from "../../log/log.ts";
import { OWN } from "../../store/ledger/source.ts";
import { type ObserverRecords, observerRecordsOn } from "../../store/observer/observer_records.ts";
import { openEngine } from "../../store/open.ts";
import { reconnectingEngine } from "../../store/reconnecting_engine.ts";
import { storeOn } from "../../store/store.ts";
import {
  type Arguments,
  settingsFor,
  type Task,
  type TaskContext,
  TaskError,
} from "../../store/tasks/task.ts";
import { checkOptions } from "./arguments.ts";
import { claimRecords, ORIGIN, OtherServiceError, whenAvailable } from "../service_observer.ts";

/** The part of the service that tasks need. */
export interface TaskService extends Pick<Service, "kind" | "identity" | "store"> {
  readonly records: ObserverRecords;
  readonly settings: Settings;
  /** The origin for links: that of the server on these records, if there was one. */
  readonly origin: string;
}

/**
 * Calls a function with the records that the settings name, and closes them. A program that keeps
 * running waits for the database, which may start later.
 */
export async function withRecords<T>(
  context: TaskContext,
  work: (service: TaskService) => Promise<T>,
  log: Log = createLog({ level: "error", format: "text", write: context.report }),
  waits = false,
): Promise<T> {
  const settings = settingsFor(context);
  const { serviceBaseUrl } = settings;
  const opened = serviceBaseUrl ? upstreamRecords(settings, log) : embeddedRecords(settings);
  if (!opened) throw new TaskError("Watching needs a database: set DATABASE_URL");
  const { records, store } = opened;
  const identity = serviceBaseUrl ?? "embedded";
  try {
    const { sleep } = systemRuntime();
    const claim = () => claimRecords(records, identity);
    await (waits ? whenAvailable(claim, { log, sleep }) : claim());
    return await work({
      kind: serviceBaseUrl ? "upstream" : "embedded",
      identity,
      store,
      records,
      settings,
      origin: settings.publicOrigin ?? await records.values.text(ORIGIN) ?? originOf(settings),
    });
  } catch (error) {
    if (error instanceof OtherServiceError) throw new TaskError(error.message);
    throw error;
  } finally {
    await opened.close();
  }
}

/**
 * The newest runs: those of the embedded service, or those stored from an upstream service. Null if
 * the embedded service has no such schedule.
 */
export async function newestRuns(
  { store, records }: TaskService,
  scheduleId: number,
  most: number,
): Promise<readonly ReportRun[] | null> {
  if (!store) return (await records.runs.newest(scheduleId, most)).map(({ run }) => run);
  try {
    return (await store.newestRuns(scheduleId, most)).runs;
  } catch (error) {
    if (isProblemError(error) && error.problem.status === 404) return null;
    throw error;
  }
}

/** What an action of a task works with. */
export interface TaskCommand extends Arguments, TaskService, Pick<TaskContext, "print" | "report"> {
  readonly context: TaskContext;
  readonly now: number;
}

/** What a task does if its first argument says so. */
export interface TaskAction {
  readonly options?: readonly string[];
  /** Whether it is about no id. */
  readonly isAlone?: boolean;
  /** Whether it is about two ids or names. */
  readonly takesTwo?: boolean;
  run(command: TaskCommand): Promise<number>;
}

/** A task that does one of several actions. */
export function taskOf(
  help: string,
  flags: readonly string[],
  actions: Readonly<Record<string, TaskAction>>,
): Task {
  const names = Object.keys(actions);
  return {
    help,
    flags,
    options: Object.values(actions).flatMap(({ options = [] }) => options),
    rest: 3,
    async run(given, context) {
      const [name = "", id, more] = given.rest;
      if (!names.includes(name)) {
        throw new TaskError(`Use ${names.slice(0, -1).join(", ")} or ${names.at(-1)}; see --help`);
      }
      const { options = [], isAlone, takesTwo, run } = actions[name];
      checkOptions(name, given.options, options);
      if (isAlone && id !== undefined) throw new TaskError(`${name} takes no id`);
      if (!takesTwo && more !== undefined) {
        throw new TaskError(`Too many arguments: "${more}"; see --help`);
      }
      const { print, report } = context;
      const now = context.now().getTime();
      return await withRecords(
        context,
        (service) => run({ ...given, ...service, context, print, report, now }),
      );
    },
  };
}

/** Opens the records, with the embedded service's data. */
type Opened = OwnRecords & Pick<Service, "store">;

function upstreamRecords(settings: Settings, log: Log): Opened | null {
  const own = ownRecords(settings, log);
  return own && { ...own, store: null };
}

function embeddedRecords(settings: Settings): Opened | null {
  if (isInMemory(settings)) return null;
  const engine = reconnectingEngine(() => openEngine(settings));
  return {
    store: storeOn(engine),
    records: observerRecordsOn(engine, OWN),
    close: () => engine.close(),
  };
}
