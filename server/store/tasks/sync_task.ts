/** `deno task sync`: copies an upstream service into the database. */
import { createClient, isDocketError } from "../../../lib/mod.ts";
import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import { wholeNumber } from "../../../lib/format.ts";
import { openStore } from "../open.ts";
import { messageBesideHint, settingHint } from "../../../lib/setting_hint.ts";
import { formatRowCounts } from "../row_counts.ts";
import { LIMITS } from "../search/validate.ts";
import type { Store } from "../store.ts";
import { syncFileSets, syncRuns, type SyncSource, type SyncSummary } from "../sync/sync_rows.ts";
import { createRedactor } from "../../../lib/client/transport/redact.ts";
import {
  type Arguments,
  embeddedServiceSettings,
  readCount,
  runAsProgram,
  type Task,
  type TaskContext,
  TaskError,
} from "./task.ts";

const HELP = `Copies an upstream service into the embedded service's database.

deno task sync [--schedules 12,15,…] [--page-size N] [--full]

  --schedules 12,15   the report schedules whose runs are copied; by default those of the last sync
  --page-size N       the rows per request, 1 to ${LIMITS.pageSize} (default ${DEFAULT_LIMIT})
  --full              read every history to its end, for runs that appeared more than a week late

SYNC_FROM_URL is the service and SYNC_FROM_TOKEN its developer token. Rows that the service no longer
has are counted and stay. You can run an interrupted sync again.

Exit code 0: everything was copied; 1: something is missing, such as after an error of the service;
2: an argument or a setting is wrong.`;

export const sync: Task = {
  help: HELP,
  options: ["schedules", "page-size"],
  flags: ["full"],
  run,
};

async function run({ options, flags }: Arguments, context: TaskContext): Promise<number> {
  const pageSize = options["page-size"] ?? String(DEFAULT_LIMIT);
  const limit = readCount("page-size", pageSize, { min: 1, max: LIMITS.pageSize });
  const scheduleIds = options.schedules?.split(",").map((id) => wholeNumber(id.trim()) ?? NaN);
  if (scheduleIds?.includes(NaN)) {
    throw new TaskError(
      `--schedules must be whole numbers, separated by commas, not "${options.schedules}"`,
    );
  }
  const settings = embeddedServiceSettings(context);
  const source = sourceFor(context, settings.serviceTokenHeader, limit, flags.full);
  await using store = await openStore(settings);
  try {
    return await copyAll(store, source, scheduleIds, context);
  } catch (error) {
    if (!isDocketError(error)) throw error;
    const hint = settingHint(error, {
      baseUrl: source.baseUrl,
      urlName: "SYNC_FROM_URL",
      tokenName: "SYNC_FROM_TOKEN",
    });
    const message = hint ? `${messageBesideHint(error)}: ${hint}` : error.message;
    context.report(`${message}; run the sync again`);
    return 1;
  }
}

async function copyAll(
  store: Store,
  source: SyncSource,
  scheduleIds: readonly number[] | undefined,
  context: TaskContext,
): Promise<number> {
  const name = `sync ${source.baseUrl} schedules`;
  const ids: readonly number[] = scheduleIds ?? JSON.parse(await store.metadata(name) ?? "[]");
  if (scheduleIds) await store.put({ metadata: { [name]: JSON.stringify(scheduleIds) } });
  let isComplete = true;
  const printSummary = (noun: string, summary: SyncSummary) => {
    context.print(`${noun}: ${sentence(summary)}`);
    isComplete = isComplete && summary.rejected === 0 && !summary.hasDrift;
  };
  printSummary("File sets", await syncFileSets(store, source));
  for (const id of ids) {
    try {
      printSummary(`Runs of ${id}`, await syncRuns(store, source, id));
    } catch (error) {
      const status = isDocketError(error) && error.kind === "http" ? error.status : 0;
      if (status !== 403 && status !== 404) throw error;
      const lack = status === 403 ? "does not let this token read" : "has no";
      context.report(`The service ${lack} report schedule ${id}`);
      isComplete = false;
    }
  }
  if (ids.length === 0) {
    context.report("No runs were copied: name their schedules, such as --schedules 12,15");
  }
  return isComplete ? 0 : 1;
}

function sourceFor(
  context: TaskContext,
  tokenHeader: string,
  limit: number,
  isFull: boolean,
): SyncSource {
  const baseUrl = context.env.SYNC_FROM_URL?.trim();
  const token = context.env.SYNC_FROM_TOKEN?.trim();
  if (!baseUrl) {
    throw new TaskError("SYNC_FROM_URL is not set: it is the URL of the service to copy from");
  }
  if (!token) {
    throw new TaskError("SYNC_FROM_TOKEN is not set: it is a developer token of that service");
  }
  // A service may return the token anywhere, even as the id of a row.
  const { add, redact } = createRedactor();
  add(token);
  try {
    return {
      client: createClient({ baseUrl, token, tokenHeader }),
      baseUrl,
      limit,
      isFull,
      report: (line) => context.report(redact(line)),
    };
  } catch (error) {
    if (isDocketError(error)) {
      throw new TaskError(`SYNC_FROM_URL or SYNC_FROM_TOKEN can't be used: ${error.message}`);
    }
    throw error;
  }
}

function sentence(summary: SyncSummary): string {
  const { gone, hasDrift } = summary;
  const drift = hasDrift ? "; rows changed meanwhile, sync again" : "";
  const missing = gone > 0 ? `, ${gone} no longer at the service` : "";
  return `${formatRowCounts(summary)}${missing}${drift}`;
}

if (import.meta.main) await runAsProgram(sync);
