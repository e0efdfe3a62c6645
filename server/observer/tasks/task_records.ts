/** Tasks that use the observer's records. */
import { systemRuntime } from "../../../lib/client/transport/runtime.ts";
import { openSeparateRecords, type SeparateRecords } from "../../backend/embedded.ts";
import type { Service } from "../../backend/service.ts";
import { recordsKeys } from "../../config/data_folder.ts";
import { isInMemory, type Settings } from "../../config/settings.ts";
import type { Actor } from "../../../lib/judgement/actor.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { shownOrigin } from "../../http/host.ts";
import { isProblemError, ProblemError } from "../../http/problem.ts";
import { createLog, type Log } from "../../log/log.ts";
import { type ObserverRecords, observerRecordsOn } from "../../store/records/observer_records.ts";
import { openDatabase, systemOf } from "../../store/open.ts";
import { reconnectingDatabase } from "../../store/database/reconnecting.ts";
import { storeOn } from "../../store/store.ts";
import {
  type Arguments,
  printTable,
  settingsFor,
  type Task,
  type TaskContext,
  TaskError,
} from "../../store/tasks/task.ts";
import { actorOf } from "./arguments.ts";
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

/** The newest stored runs; null if the embedded service has no such schedule. */
export async function newestRuns(
  { store, records }: TaskService,
  scheduleId: number,
  max: number,
): Promise<readonly ReportRun[] | null> {
  if (!store) return (await records.runs.newest(scheduleId, max)).map(({ run }) => run);
  try {
    return (await store.newestRuns(scheduleId, max)).runs;
  } catch (error) {
    if (isProblemError(error) && error.problem.status === 404) return null;
    throw error;
  }
}

export interface TaskCommand extends Arguments, TaskService, Pick<TaskContext, "print" | "report"> {
  readonly actor: Actor;
  readonly now: number;
  /** The id or name that follows the action; empty if there is none. */
  readonly id: string;
  /** The second argument; empty if there is none. */
  readonly more: string;
  readonly context: TaskContext;
}

interface TaskAction {
  readonly options?: readonly string[];
  readonly rest?: number;
  /** Returns the exit code. Default: 0. */
  run(command: TaskCommand): Promise<number | void>;
}

export function taskOf(
  help: string,
  flags: readonly string[],
  actions: Readonly<Record<string, TaskAction>>,
): Task {
  const names = Object.keys(actions);
  return {
    help,
    flags,
    options: Object.values(actions).flatMap(({ options = [] }) => options)
      .filter((name) => !flags.includes(name)),
    rest: 3,
    async run(args, context) {
      const [name = "", ...rest] = args.rest;
      if (!names.includes(name)) {
        throw new TaskError(`Use ${names.slice(0, -1).join(", ")} or ${names.at(-1)}; see --help`);
      }
      const { options = [], rest: max = 1, run } = actions[name];
      const setFlags = flags.filter((flag) => args.flags[flag] && flag !== "json");
      const used = [...Object.keys(args.options), ...setFlags];
      const unknown = used.find((each) => !options.includes(each));
      if (unknown !== undefined) throw new TaskError(`${name} takes no --${unknown}; see --help`);
      if (rest.length > max) {
        throw new TaskError(
          max === 0 ? `${name} takes no id` : `Too many arguments: "${rest[max]}"; see --help`,
        );
      }
      const { print, report } = context;
      const acting = { actor: actorOf(args.options), now: context.now().getTime() };
      const [id = "", more = ""] = rest;
      return await withRecords(
        context,
        (service) => run({ ...args, ...service, ...acting, id, more, context, print, report }),
      ) ?? 0;
    },
  };
}

/** Ends a task with exit code 1 and a reason. */
export function refuse(reason: string): never {
  throw new ProblemError(409, reason);
}

export function printList(
  { flags, context, print }: TaskCommand,
  { json, headings, rows, none }: {
    readonly json: readonly unknown[];
    readonly headings: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly none: string;
  },
): void {
  if (flags.json) print(JSON.stringify(json));
  else if (rows.length === 0) print(none);
  else printTable([headings, ...rows], context);
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
