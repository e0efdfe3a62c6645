/** Reads the words of the command line. */
import { parseArgs } from "node:util";
import {
  fileSetColumns,
  parsePlan,
  parseSearchQuery,
  parseSearchUrl,
  recipientColumns,
  runColumns,
  type SearchBody,
} from "../lib/mod.ts";
import { joinSearches, queryField } from "../lib/search/search_query.ts";
import { checkZone } from "../lib/runs/plans/parse.ts";
import {
  type Command,
  type ConnectionArguments,
  type Format,
  type JudgeCommand,
  UsageError,
} from "./command.ts";
import { type CommandName, COMMANDS, OPTIONS, optionsOf } from "./options.ts";
import { suggestion } from "./suggest.ts";

const FORMATS: readonly string[] = ["table", "csv", "ndjson", "json"];

/** Reads the command line. Throws a UsageError that says what is wrong with it. */
export function readArguments(words: readonly string[]): Command {
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
  for (const option of Object.keys(values)) {
    if (!optionsOf(name).includes(option)) throw new UsageError(`${name} takes no --${option}`);
  }

  const connection = readConnection(values);
  switch (name) {
    case "check":
      return { ...connection, name, ...(rest.length > 0 && { scheduleId: readId(name, rest) }) };
    case "judge":
      if (rest.length === 0) throw new UsageError("judge needs the id of a report schedule");
      return {
        ...connection,
        name,
        scheduleIds: rest.map((id) => readId(name, [id])),
        ...readJudging(values),
      };
    case "assert":
      if (rest.length === 0 && !values.date) {
        throw new UsageError("assert needs a condition, such as 'owner:EQUALS:ann'");
      }
      return {
        ...connection,
        name,
        body: readView({ filter: rest, date: values.date }, readZone(values)).body,
        max: readCount("max", values.max ?? "0", 0),
      };
    default:
      return { ...readList(values, connection), ...readSubject(name, values, rest) };
  }
}

type Values = Readonly<Record<string, string | boolean | string[] | undefined>> & {
  readonly filter?: string[];
  readonly date?: string[];
  readonly sort?: string[];
  readonly max?: string;
  readonly limit?: string;
  readonly columns?: string;
  readonly cron?: string;
  readonly zone?: string;
  readonly grace?: string;
  readonly "service-zone"?: string;
};

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
      args: words.map(keepNegation),
      allowPositionals: true,
      options,
    });
    return { values: values as Values, positionals };
  } catch (error) {
    // Node's message ends with what one could do about arguments that begin with a hyphen.
    const [message] = (error as Error).message.split(". ");
    const typed = /'--?([\w-]+)/.exec(message)?.[1];
    const isUnknown = typed !== undefined && !Object.hasOwn(OPTIONS, typed);
    throw new UsageError(message + (isUnknown ? suggestion(typed, Object.keys(OPTIONS)) : ""));
  }
}

/**
 * A negated condition such as -owner:ann is not an option: a leading space keeps it from being
 * parsed as one.
 */
function keepNegation(word: string): string {
  const field = /^-([\w-]+):/.exec(word)?.[1];
  return field !== undefined && queryField(field) ? ` ${word}` : word;
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function readConnection(values: Values): ConnectionArguments {
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

/** By what schedules are judged. */
function readJudging(
  { cron, zone, grace, "service-zone": serviceZone = "UTC" }: Values,
): Pick<JudgeCommand, "plan" | "serviceZone"> {
  const lonely = zone === undefined ? grace === undefined ? null : "grace" : "zone";
  if (cron === undefined && lonely) throw new UsageError(`--${lonely} needs --cron`);
  try {
    return {
      serviceZone: checkZone("service-zone", serviceZone),
      // It holds for the whole history.
      ...(cron !== undefined && { plan: parsePlan({ cron, zone, grace }, 0) }),
    };
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`);
  }
}

/** The zone that days are days of. */
function readZone({ zone = "UTC" }: Values): string {
  try {
    return checkZone("zone", zone);
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`);
  }
}

/** Conditions, sort keys and numbers, in the words of Docket's URLs. */
function readView(given: Readonly<Record<string, unknown>>, zone?: string) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    for (const text of [value ?? []].flat()) params.append(name, String(text));
  }
  const { view, issues } = parseSearchUrl(params, { zone });
  if (issues.length > 0) {
    const lines = issues.map(({ parameter, detail }) => `--${parameter}: ${detail}`);
    throw new UsageError(lines.join("\n"));
  }
  return view;
}

function readList(values: Values, connection: ConnectionArguments) {
  const { limit } = readView({ limit: values.limit });
  const format = String(values.format ?? (connection.json ? "json" : "table"));
  if (!FORMATS.includes(format)) {
    throw new UsageError(`--format must be ${FORMATS.join(", ")}${suggestion(format, FORMATS)}`);
  }
  const all = values.all === true || values.max !== undefined;
  if (values.resume !== undefined) {
    if (values.all !== true) throw new UsageError("--resume needs --all");
    if (format !== "csv" && format !== "ndjson") {
      throw new UsageError("--resume needs --format csv or ndjson, which can be continued");
    }
  }
  return {
    ...connection,
    format: format as Format,
    all,
    prefetch: readCount("prefetch", String(values.prefetch ?? 4), 1),
    verify: values.verify === true,
    curl: values.curl === true,
    ...(values.max !== undefined && { max: readCount("max", values.max, 1) }),
    ...(limit !== undefined && { limit }),
    ...(values.resume !== undefined && { resume: String(values.resume) }),
  };
}

/** What is listed, and which of its columns. */
function readSubject(name: "filesets" | "history", values: Values, rest: readonly string[]) {
  const { filter, date, sort, offset, skip } = values;
  const zone = name === "filesets" ? readZone(values) : undefined;
  const { body, columns, ...view } = readView({
    filter,
    date,
    sort,
    offset,
    skip,
    columns: values.columns,
  }, zone);
  const skipped = view.offset ?? view.skip;
  const base = {
    isChosen: columns !== undefined,
    ...(skipped !== undefined && { skipped }),
  };
  if (name === "filesets") {
    return {
      ...base,
      name,
      body: joinSearches(readQuery(rest.map((word) => word.trim()).join(" "), zone), body),
      columns: readColumns(columns, fileSetColumns(), []),
    };
  }
  const recipients = values.recipients === true;
  const known = recipients ? recipientColumns() : runColumns();
  const further = recipients ? runColumns() : ["scheduleId", "recipients"];
  return {
    ...base,
    name,
    scheduleId: readId(name, rest),
    recipients,
    columns: readColumns(columns, known, further),
  };
}

/** The search of a query; a part that is not valid is pointed at. */
function readQuery(query: string, zone?: string): SearchBody {
  const { body, issues } = parseSearchQuery(query, { zone });
  if (issues.length === 0) return body;
  // Characters that are no letters would break the line, or move the marks.
  const line = query.replace(/\s/g, " ");
  const lines = issues.map(({ start, end, detail }) =>
    `${detail}\n  ${line}\n  ${" ".repeat(start)}${"^".repeat(Math.max(1, end - start))}`
  );
  throw new UsageError(lines.join("\n"));
}

function readColumns(
  chosen: readonly string[] | undefined,
  usual: readonly string[],
  further: readonly string[],
): readonly string[] {
  const known = [...new Set([...usual, ...further])];
  const unknown = chosen?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const meant = suggestion(unknown, known);
    throw new UsageError(`--columns: there is no "${unknown}"${meant}: use ${known.join(", ")}`);
  }
  return chosen ?? usual;
}

function readCount(name: string, text: string, least: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= least) return count;
  throw new UsageError(`--${name} must be an integer of at least ${least}`);
}

function readId(command: string, words: readonly string[]): number {
  const [text, ...more] = words;
  if (text === undefined) throw new UsageError(`${command} needs the id of a report schedule`);
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || more.length > 0) {
    throw new UsageError(`${command} takes the id of one report schedule, a whole number`);
  }
  return id;
}
