import { parseArgs } from "node:util";
import { checkZone, parsePlan } from "../lib/judgement/plans/parse.ts";
import { FILE_SET_QUERY, queryField } from "../lib/search/query_table.ts";
import {
  checkConditions,
  readCount,
  readId,
  readIds,
  readView,
  readZone,
  type Values,
} from "./argument_values.ts";
import {
  type CommandLine,
  type ConnectionArguments,
  type JudgeCommand,
  UsageError,
} from "./command.ts";
import { readEvidence, readVerify } from "./evidence_arguments.ts";
import { readColumns, readFormat, readList, readSubject } from "./list_arguments.ts";
import { VERDICT_COLUMNS, VERDICT_TABLE } from "./table_rows.ts";
import { type CommandName, COMMANDS, OPTIONS, optionsOf } from "./options.ts";
import { wholeNumber } from "../lib/format.ts";
import { suggestion } from "../lib/terminal.ts";

/** Reads the command line. Throws a UsageError that says what is wrong with it. */
export function readArguments(words: readonly string[]): CommandLine {
  if (words.some((word) => /^--?token(=|$)/.test(word))) {
    throw new UsageError(
      "A token is never an argument, where others could read it: set DOCKET_TOKEN, or use --token-file",
    );
  }
  const { values, positionals } = parse(words);
  const [name, ...rest] = positionals;
  if (values.version) return { name: "version" };
  if (values.help || name === undefined || name === "help") {
    const topic = name === "help" ? rest[0] : name;
    return { name: "help", ...(topic === undefined ? {} : { topic }) };
  }
  if (name === "completion") return { name, shell: rest[0] ?? "" };
  if (name === "schema") return { name, topic: rest[0] ?? "" };
  if (!isCommand(name)) {
    const known = Object.keys(COMMANDS);
    throw new UsageError(
      `Unknown command "${name}"${suggestion(name, known)}: use ${known.join(", ")}`,
    );
  }
  for (const [option, value] of Object.entries(values)) {
    if (!optionsOf(name).includes(option)) throw new UsageError(`${name} takes no --${option}`);
    // A script's unset variable leaves a value empty; that must not read or write everything.
    if ([value].flat().includes("")) throw new UsageError(`--${option} needs a value`);
  }

  const connection = readConnectionArguments(values);
  switch (name) {
    case "check":
      return { ...connection, name, ...(rest.length > 0 && { scheduleId: readId(name, rest) }) };
    case "recipients":
    case "who":
      return { ...connection, name, ...readWhose(name, values, rest) };
    case "judge":
      if (rest.length === 0) throw new UsageError("judge needs the id of a report schedule");
      return {
        ...connection,
        name,
        scheduleIds: [...new Set(rest.map((id) => readId(name, [id])))],
        columns: readColumns(values.columns?.split(","), VERDICT_TABLE, VERDICT_COLUMNS),
        ...readJudging(values),
      };
    case "evidence":
      return readEvidence(values, rest, connection);
    case "verify":
      return readVerify(values, rest, connection);
    case "assert":
      if (rest.length === 0 && !values.date) {
        throw new UsageError("assert needs a condition, such as 'owner:EQUALS:Finance'");
      }
      return {
        ...connection,
        name,
        body: readView({ filter: checkConditions(rest), date: values.date }, readZone(values)).body,
        max: readCount("max", values.max ?? "0", 0),
      };
    default:
      return { ...readList(values, connection), ...readSubject(name, values, rest) };
  }
}

function parse(words: readonly string[]): { values: Values; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(OPTIONS).map(([name, { short, value, isMany }]) => [name, {
      type: value === undefined ? "boolean" as const : "string" as const,
      ...(isMany && { multiple: true }),
      ...(short && { short }),
    }]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: words.map((word, index) =>
        words.includes("filesets") && !takesValue(words[index - 1]) ? keepNegation(word) : word
      ),
      allowPositionals: true,
      options,
    });
    return { values: values as Values, positionals };
  } catch (error) {
    // Node's message goes on with advice about arguments that begin with a hyphen.
    const [message] = (error as Error).message.split(/\. |\n/);
    const [option, typed] = /--?([\w-]+)/.exec(message) ?? [];
    if (message.endsWith("argument missing")) throw new UsageError(`${option} needs a value`);
    if (message.includes("is ambiguous")) {
      const joined = option?.startsWith("--") ? `${option}=-…` : `${option}-…`;
      throw new UsageError(
        `${option} needs a value; if it begins with a hyphen, write ${joined}`,
      );
    }
    const isUnknown = typed !== undefined && !Object.hasOwn(OPTIONS, typed);
    const command = words.find(isCommand);
    const names = command ? optionsOf(command) : Object.keys(OPTIONS);
    const known = names.map((name) => `--${name}`);
    throw new UsageError(message + (isUnknown ? suggestion(`--${typed}`, known) : ""));
  }
}

/**
 * A word that one hyphen negates, such as -payroll or -owner:Legal, is part of the query: a leading
 * space keeps it from being parsed as options.
 */
function keepNegation(word: string): string {
  if (!/^-[^-]./.test(word)) return word;
  const name = word.slice(1);
  if (Object.hasOwn(OPTIONS, name)) {
    throw new UsageError(`Unknown option ${word}: write --${name}, or '-"${name}"' in a query`);
  }
  const [, letter, field, more] = /^-([cdfs])!?([\w-]+)(.*)$/s.exec(word) ?? [];
  // An option may be followed by its value at once, as in -cid,name.
  const isOption = queryField(FILE_SET_QUERY, field ?? "") !== undefined &&
    (letter === "c" || letter === "s" ? /^([,:]|$)/ : /^:/).test(more);
  return isOption ? word : ` ${word}`;
}

function takesValue(word: string | undefined): boolean {
  return Object.entries(OPTIONS).some(([name, { short, value }]) =>
    value !== undefined && (word === `--${name}` || word === `-${short}`)
  );
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function readConnectionArguments(values: Values): ConnectionArguments {
  const { timeout, attempts, profile } = values;
  const seconds = timeout === undefined ? undefined : Number(timeout);
  if (seconds !== undefined && !(seconds > 0 && seconds < Infinity)) {
    throw new UsageError("--timeout must be a number of seconds greater than 0");
  }
  return {
    debug: values.debug === true,
    json: values.json === true || values.format === "json",
    ...(seconds !== undefined && { timeoutMs: seconds * 1000 }),
    ...(attempts !== undefined && { attempts: readCount("attempts", String(attempts), 1) }),
    ...(profile !== undefined && { profile: String(profile) }),
    ...(values["token-file"] !== undefined && { tokenFile: String(values["token-file"]) }),
  };
}

/** The schedules that `recipients` and `who` ask about, and the person of `who`. */
function readWhose(name: "recipients" | "who", values: Values, rest: readonly string[]) {
  const format = readFormat(values);
  if (name === "recipients") {
    const scheduleIds = readIds(rest.join(","));
    if (scheduleIds.length > 0) return { scheduleIds, format };
    throw new UsageError("recipients needs the ids of schedules, such as 101-112");
  }
  const [person] = rest;
  if (rest.length !== 1 || !person.includes("@") && wholeNumber(person) === null) {
    throw new UsageError("who needs an address or a user id");
  }
  if (values.schedules === undefined) {
    throw new UsageError("who needs --schedules, such as --schedules 101-112");
  }
  return { scheduleIds: readIds(values.schedules), person, format };
}

/** How schedules are judged. */
function readJudging(
  { cron, zone, grace, calendar, "service-zone": serviceZone = "UTC" }: Values,
): Pick<JudgeCommand, "plan" | "calendar" | "serviceZone"> {
  const alone = zone === undefined ? grace === undefined ? null : "grace" : "zone";
  if (cron === undefined && alone) throw new UsageError(`--${alone} needs --cron`);
  try {
    return {
      serviceZone: checkZone("service-zone", serviceZone),
      ...(calendar !== undefined && { calendar }),
      // It holds for the whole history.
      ...(cron !== undefined && { plan: parsePlan({ cron, zone, grace }, 0) }),
    };
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`);
  }
}
