/**
 * From the words of the command line to what it should do.
 *
 * @module
 */

import { parseArgs } from "node:util";
import {
  fileSetColumns,
  parseSearchUrl,
  recipientColumns,
  runColumns,
  type SearchBody,
} from "../lib/mod.ts";

/** How rows are written. */
export type Format = "table" | "csv" | "ndjson" | "json";

/** What both commands have in common. */
interface CommandBase {
  /** How rows are written. */
  readonly format: Format;
  /** Names of the fields to write. */
  readonly columns: readonly string[];
  /** Whether the person chose them; otherwise JSON has every field. */
  readonly isChosen: boolean;
  /** Whether every row is read, and not one page. */
  readonly all: boolean;
  /** The most rows on a page. */
  readonly limit?: number;
  /** Number of rows to skip. */
  readonly skipped?: number;
  /** File of the checkpoint. */
  readonly resume?: string;
  /** How many pages are in flight. */
  readonly prefetch: number;
  /** Whether pages overlap by a row. */
  readonly verify: boolean;
}

/** What the command line should do. */
export type Command =
  | { readonly name: "help"; readonly topic?: string }
  | { readonly name: "version" }
  | { readonly name: "check"; readonly scheduleId?: number }
  | CommandBase & { readonly name: "filesets"; readonly body: SearchBody }
  | CommandBase & {
    readonly name: "history";
    readonly scheduleId: number;
    readonly recipients: boolean;
  };

/** The words can't be understood; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const FORMATS: readonly string[] = ["table", "csv", "ndjson", "json"];

/**
 * Reads the words of the command line.
 *
 * @param words The words behind the program's name.
 * @returns What to do.
 * @throws {UsageError} When the words can't be understood.
 */
export function readArguments(words: readonly string[]): Command {
  if (words.some((word) => /^--?token(=|$)/.test(word))) {
    throw new UsageError(
      "A token is never an argument, where others could read it: set DOCKET_TOKEN",
    );
  }
  const { values, positionals } = parse(words);
  const [name, ...rest] = positionals;
  if (values.version) return { name: "version" };
  if (values.help || name === undefined || name === "help") {
    const topic = name === "help" ? rest[0] : name;
    return { name: "help", ...(topic === undefined ? {} : { topic }) };
  }
  if (name === "check") {
    refuse(name, values, Object.keys(values) as (keyof Values)[]);
    return { name, ...(rest.length === 0 ? {} : { scheduleId: readScheduleId(name, rest) }) };
  }
  if (name !== "filesets" && name !== "history") {
    throw new UsageError(`Unknown command "${name}": use filesets, history or check`);
  }

  const params = new URLSearchParams();
  for (const key of ["filter", "date", "sort"] as const) {
    for (const text of values[key] ?? []) params.append(key, text);
  }
  for (const key of ["limit", "offset", "skip", "columns"] as const) {
    if (values[key] !== undefined) params.set(key, values[key]);
  }
  const { view, issues } = parseSearchUrl(params);
  if (issues.length > 0) {
    throw new UsageError(
      issues.map(({ parameter, detail }) => `--${parameter}: ${detail}`).join("\n"),
    );
  }
  const format = values.format ?? "table";
  if (!FORMATS.includes(format)) throw new UsageError(`--format must be ${FORMATS.join(", ")}`);
  const all = values.all ?? false;
  if (values.resume !== undefined) {
    if (!all) throw new UsageError("--resume needs --all");
    if (format !== "csv" && format !== "ndjson") {
      throw new UsageError("--resume needs --format csv or ndjson, which can be continued");
    }
  }
  const base = {
    format: format as Format,
    all,
    isChosen: view.columns !== undefined,
    prefetch: readCount("prefetch", values.prefetch ?? "4"),
    verify: values.verify ?? false,
    ...(view.limit === undefined ? {} : { limit: view.limit }),
    ...(values.resume === undefined ? {} : { resume: values.resume }),
  };

  if (name === "filesets") {
    refuse(name, values, ["skip", "recipients"]);
    if (rest.length > 0) throw new UsageError(`filesets takes no "${rest[0]}": use --filter`);
    return {
      ...base,
      name,
      body: view.body,
      columns: view.columns ?? fileSetColumns(),
      ...(view.offset === undefined ? {} : { skipped: view.offset }),
    };
  }
  refuse(name, values, ["filter", "date", "sort", "offset"]);
  const recipients = values.recipients ?? false;
  return {
    ...base,
    name,
    scheduleId: readScheduleId(name, rest),
    recipients,
    columns: view.columns ?? (recipients ? recipientColumns() : runColumns()),
    ...(view.skip === undefined ? {} : { skipped: view.skip }),
  };
}

type Values = ReturnType<typeof parse>["values"];

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        filter: { type: "string", multiple: true, short: "f" },
        date: { type: "string", multiple: true, short: "d" },
        sort: { type: "string", multiple: true, short: "s" },
        limit: { type: "string" },
        offset: { type: "string" },
        skip: { type: "string" },
        columns: { type: "string", short: "c" },
        format: { type: "string" },
        all: { type: "boolean" },
        recipients: { type: "boolean" },
        resume: { type: "string" },
        prefetch: { type: "string" },
        verify: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function refuse(command: string, values: Values, names: readonly (keyof Values)[]): void {
  for (const name of names) {
    if (values[name] !== undefined) throw new UsageError(`${command} takes no --${name}`);
  }
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1) return count;
  throw new UsageError(`--${name} must be an integer of at least 1`);
}

function readScheduleId(command: string, words: readonly string[]): number {
  const [text, ...more] = words;
  if (text === undefined) throw new UsageError(`${command} needs the id of a report schedule`);
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || more.length > 0) {
    throw new UsageError(`${command} takes one id of a report schedule, an integer`);
  }
  return id;
}
