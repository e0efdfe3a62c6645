/** Runs tasks: arguments, settings, output and exit codes. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { maskAddresses } from "../../../lib/runs/recipients.ts";
import { DataFolderError, makeDataFolder } from "../../config/data_folder.ts";
import { ProblemError } from "../../http/problem.ts";
import { readSettings, type Settings, SettingsError } from "../../config/settings.ts";
import { wholeNumber } from "../../../lib/format.ts";

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
