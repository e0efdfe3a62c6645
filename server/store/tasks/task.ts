/** What tasks have in common: arguments, settings, output and exit codes. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { layOutRows, terminalText } from "../../../lib/terminal.ts";
import { maskAddresses } from "../../../lib/runs/recipients.ts";
import { DataFolderError, makeDataFolder } from "../../config/data_folder.ts";
import { ProblemError } from "../../http/problem.ts";
import { readEnvironment } from "../../config/environment.ts";
import { readSettings, type Settings, SettingsError, VARIABLES } from "../../config/settings.ts";
import { wholeNumber } from "../../../lib/format.ts";

/** What a task works with; tests give their own. */
export interface TaskContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  print(line: string): void;
  /** Reports progress, or what is wrong, on standard error. */
  report(line: string): void;
  now(): Date;
}

/** Thrown for what the person at the keyboard can correct; its message is all they need. */
export class TaskError extends Error {}

export interface Task {
  readonly help: string;
  readonly options?: readonly string[];
  readonly flags?: readonly string[];
  /** The most arguments that are no options. */
  readonly rest?: number;
  run(given: Arguments, context: TaskContext): Promise<number>;
}

export interface Arguments {
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Record<string, boolean>>;
  readonly rest: readonly string[];
}

/** Reads the command line; anything that the task doesn't name is an error. */
function readArguments(args: readonly string[], task: Task): Arguments {
  const flagNames = ["help", ...task.flags ?? []];
  const ofFlags = flagNames.map((name) => [name, { type: "boolean" }]);
  const ofOptions = task.options?.map((name) => [name, { type: "string", multiple: true }]) ?? [];
  const { values, positionals: rest } = parsed(
    args,
    Object.fromEntries([...ofFlags, ...ofOptions]),
  );
  const most = task.rest ?? 0;
  if (rest.length > most) throw new TaskError(`Too many arguments: "${rest[most]}"; see --help`);
  const options = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [];
      if (value.length > 1) throw new TaskError(`--${name} must be given only once`);
      if (value[0] === "") throw new TaskError(`--${name} needs a value`);
      return [[name, String(value[0])]];
    }),
  );
  const flags = Object.fromEntries(flagNames.map((name) => [name, values[name] === true]));
  return { options, flags, rest };
}

function parsed(args: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const { message } = error as Error;
    const [option] = /--?[\w-]+/.exec(message) ?? [];
    if (/is ambiguous|argument missing/.test(message)) {
      throw new TaskError(`${option} needs a value; one below 0 is written as ${option}=-1`);
    }
    // Node's message goes on with advice about arguments that begin with a hyphen.
    throw new TaskError(`${message.split(". ", 1)}; see --help`);
  }
}

export function readCount(
  name: string,
  text: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: {
    readonly least?: number;
    readonly most?: number;
  },
): number {
  const count = wholeNumber(text) ?? NaN;
  if (count >= least && count <= most) return count;
  throw new TaskError(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
}

/** The settings, and the data folder made when the data belongs there. */
export function settingsFor(context: TaskContext): Settings {
  const settings = readSettings(context.env);
  if (!settings.databaseUrl) makeDataFolder(settings.dataDir, ["DATABASE_URL"]);
  return settings;
}

/** The same for a task that changes the embedded service; an error if another service is shown. */
export function ownServiceSettings(context: TaskContext): Settings {
  const settings = readSettings(context.env);
  if (settings.serviceBaseUrl === null) return settingsFor(context);
  throw new TaskError(
    "Nothing was changed: with SERVICE_BASE_URL, the console shows that service, and this changes " +
      "the embedded one. To do so, make SERVICE_BASE_URL empty for this command",
  );
}

/** Prints a table: its first row has the headings. */
export function printTable(table: readonly (readonly string[])[], { print }: TaskContext): void {
  // What a service sent may contain line breaks, or control the terminal.
  const rows = table.map((row) => row.map(terminalText));
  for (const line of rows.map(layOutRows(rows).lineOf)) print(line);
}

/** Aborts when the program is told to stop; until it is disposed of. */
export function endOfProgram(): Disposable & { readonly signal: AbortSignal } {
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

/** Runs a task as the program; its number becomes the exit code. */
export async function runAsProgram(task: Task): Promise<never> {
  Deno.exit(
    await exitCodeOf(task, Deno.args, {
      env: readEnvironment(VARIABLES),
      print: (line) => console.log(line),
      report: (line) => console.error(line),
      now: () => new Date(),
    }),
  );
}

export async function exitCodeOf(
  task: Task,
  args: readonly string[],
  context: TaskContext,
): Promise<number> {
  // Messages may repeat a file or a service, and these may contain addresses.
  const report = (line: string) => context.report(maskAddresses(line));
  try {
    const given = readArguments(args, task);
    if (!given.flags.help) return await task.run(given, { ...context, report });
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
