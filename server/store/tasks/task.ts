/** Runs tasks: arguments, settings, the database, output and exit codes. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { maskAddresses } from "../../../lib/runs/recipients.ts";
import { DataFolderError, makeDataFolder, recordsKeys } from "../../config/data_folder.ts";
import { ProblemError } from "../../http/problem.ts";
import { readSettings, type Settings, SettingsError } from "../../config/settings.ts";
import { wholeNumber } from "../../../lib/format.ts";
import { resolve } from "node:path";
import { RECORDS_API } from "../../http/paths.ts";
import { type Database, DatabaseError } from "../database/database.ts";
import { DATABASE_FILE, openDatabase } from "../open.ts";
import { serviceOn } from "../records/shared.ts";
import { type Store, storeOn } from "../store.ts";

export interface TaskContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  print(line: string): void;
  /** Writes progress and errors to standard error. */
  report(line: string): void;
  now(): Date;
  /** Asks on the terminal; null if there is none. */
  confirm?(question: string): boolean | null;
  /** As in the settings. */
  readonly inThreads?: boolean;
}

/** Thrown for mistakes that the user can correct; only the message is shown. */
export class TaskError extends Error {}

export interface Task {
  readonly help: string;
  readonly options?: readonly string[];
  readonly flags?: readonly string[];
  readonly rest?: number;
  run(args: Arguments, context: TaskContext): Promise<number>;
}

export interface Arguments {
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Record<string, boolean | undefined>>;
  readonly rest: readonly string[];
}

function readArguments(args: readonly string[], task: Task): Arguments {
  const { options: strings = [], flags: booleans = [], rest: max = 0 } = task;
  const { values, positionals: rest } = parse(
    args,
    Object.fromEntries([
      ...["help", ...booleans].map((name) => [name, { type: "boolean" }]),
      ...strings.map((name) => [name, { type: "string" }]),
    ]),
  );
  if (rest.length > max) throw new TaskError(`Too many arguments: "${rest[max]}"; see --help`);
  const empty = strings.find((name) => values[name] === "");
  if (empty !== undefined) throw new TaskError(`--${empty} needs a value`);
  return {
    options: values as Arguments["options"],
    flags: values as Arguments["flags"],
    rest,
  };
}

function parse(args: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Without the end of Node's message, which is about arguments that begin with a hyphen.
    throw new TaskError(`${(error as Error).message.split(/\. |\.$/)[0]}; see --help`);
  }
}

export function readCount(name: string, text: string, max = Number.MAX_SAFE_INTEGER): number {
  const count = wholeNumber(text) ?? NaN;
  if (count >= 0 && count <= max) return count;
  throw new TaskError(`--${name} must be a whole number from 0 to ${max}, not "${text}"`);
}

/** Reads the settings, and creates the data folder if the database is there. */
export function settingsFor(context: TaskContext): Settings {
  const settings = { ...readSettings(context.env), inThreads: context.inThreads };
  if (!settings.databaseUrl) makeDataFolder(settings.dataDir, ["DATABASE_URL"]);
  return settings;
}

/** The settings of a task that changes the embedded service; fails if the console shows another. */
export function embeddedServiceSettings(context: TaskContext): Settings {
  const settings = readSettings(context.env);
  if (settings.serviceBaseUrl === null) return settingsFor(context);
  throw new TaskError(
    "Nothing was changed: this task changes the embedded service, but the console shows the one at " +
      "SERVICE_BASE_URL. To change the embedded one anyway, make SERVICE_BASE_URL empty for this task",
  );
}

export function abortOnStop(): Disposable & { readonly signal: AbortSignal } {
  const ending = new AbortController();
  const end = () => ending.abort();
  const signals = ["SIGINT", ...Deno.build.os === "windows" ? [] : ["SIGTERM" as const]] as const;
  for (const name of signals) Deno.addSignalListener(name, end);
  return {
    signal: ending.signal,
    [Symbol.dispose]() {
      for (const name of signals) Deno.removeSignalListener(name, end);
    },
  };
}

export async function runTask(
  task: Task,
  args: readonly string[],
  context: TaskContext,
): Promise<number> {
  // Messages may quote a file or a service, which may contain addresses.
  const report = (line: string) => context.report(maskAddresses(line));
  try {
    const read = readArguments(args, task);
    if (!read.flags.help) return await task.run(read, { ...context, report });
    context.print(task.help);
    return 0;
  } catch (error) {
    if (error instanceof ProblemError) {
      report(error.message);
      return 1;
    }
    const expected = [TaskError, SettingsError, DataFolderError];
    if (!(error instanceof Error && expected.some((kind) => error instanceof kind))) throw error;
    report(error.message);
    return 2;
  }
}

const ANSWER_MS = 5000;

/**
 * Opens the databases in these files, or PostgreSQL, and reports which they are.
 *
 * @throws {TaskError} If the Docket at `DOCKET_URL` serves another one
 */
export async function openForTask(
  settings: Settings,
  context: TaskContext,
  files: readonly string[] = [DATABASE_FILE],
  docket = docketFor(settings, context),
): Promise<readonly Database[]> {
  for (const file of files) context.report(`Database: ${describePlace(settings, file)}`);
  const served = files.length === 0 ? null : await docket?.servedId() ?? null;
  const databases: Database[] = [];
  try {
    // A database that is served is there: one that is not must not be made by asking.
    for (const file of files) {
      databases.push(
        await openDatabase(settings, {
          file,
          create: served === null,
          recordsKeys: () => recordsKeys(settings),
        }),
      );
    }
    const found = await Promise.all(databases.map((each) => docket?.serves(each)));
    if (served !== null && !found.includes(true)) throw new TaskError(OTHER);
  } catch (error) {
    for (const database of databases) await database.close();
    const isMissing = error instanceof DatabaseError && error.kind === "missing";
    throw isMissing ? new TaskError(OTHER) : error;
  }
  return databases;
}

const OTHER =
  "No data was changed: the Docket at DOCKET_URL serves another database. Set DATA_DIR or " +
  "DATABASE_URL as it does, or make DOCKET_URL empty for this task";

/** Opens the embedded service's database, and says if a seed was ended before it was done. */
export async function openStoreForTask(settings: Settings, context: TaskContext): Promise<Store> {
  const [database] = await openForTask(settings, context);
  const store = storeOn(database);
  if (await store.contents() === "incomplete") {
    context.report(
      "An earlier deno task seed was ended before it was done: its rows are incomplete",
    );
  }
  return store;
}

/** Where a database is, without the password. */
function describePlace({ databaseUrl, dataDir }: Settings, file: string): string {
  if (databaseUrl === null) return resolve(dataDir, file);
  const url = URL.parse(databaseUrl);
  return url ? `${url.pathname.slice(1)} of PostgreSQL at ${url.host}` : "PostgreSQL";
}

/** The Docket at `DOCKET_URL`, for a task; null without one. */
export function docketFor(
  { serviceTokenHeader }: Settings,
  { env, report }: TaskContext,
) {
  const { DOCKET_URL: url, DOCKET_TOKEN = "" } = env;
  if (!url) return null;
  const send = (path: string, init: RequestInit) =>
    fetch(`${url.replace(/\/*$/, RECORDS_API)}/${path}`, {
      ...init,
      headers: {
        [serviceTokenHeader]: DOCKET_TOKEN,
        accept: "application/json",
        "content-type": "application/json",
      },
      redirect: "manual",
    });

  async function askDatabase(): Promise<string | null> {
    try {
      const response = await send("statuses", { signal: AbortSignal.timeout(ANSWER_MS) });
      const { database } = await response.json();
      if (typeof database === "string") return database;
    } catch {
      // Said below.
    }
    report("DOCKET_URL does not answer which database it serves: it was not compared");
    return null;
  }
  let answer: Promise<string | null> | undefined;
  const servedId = () => answer ??= askDatabase();

  return {
    /** The random id of the database that it serves; null if it is not known. */
    servedId,
    async serves(database: Database): Promise<boolean> {
      return (await serviceOn(database).get()).id === await servedId();
    },
    /** @throws {TaskError} If it refuses, with its reason */
    async post<Answer>(path: string, body: unknown): Promise<Answer> {
      const response = await send(path, { method: "POST", body: JSON.stringify(body) });
      const answer = await response.json().catch(() => null);
      if (response.ok && answer !== null) return answer;
      const why = answer?.detail ?? `status ${response.status}`;
      throw new TaskError(`The Docket at DOCKET_URL did not do it: ${why}`);
    },
  };
}
