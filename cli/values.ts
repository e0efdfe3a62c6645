import { FILE_SET_QUERY, queryField } from "../lib/search/query_table.ts";
import { checkZone } from "../lib/judgement/plans/parse.ts";
import { isTooLarge, wholeNumber } from "../lib/format.ts";
import { parseSearchQuery, type SearchBody } from "../lib/mod.ts";
import { suggestion, terminalWidth } from "../lib/terminal.ts";
import { UsageError } from "./command.ts";
import type { Values } from "./options.ts";

export function readZone({ zone = "UTC" }: Values): string {
  try {
    return checkZone("zone", zone);
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`);
  }
}

/** Reads a query; its words may be several arguments. The error marks the parts that are not valid. */
export function readQuery(values: Values, words: readonly string[]): SearchBody {
  // Tabs and line breaks would move the marks.
  const query = words.join(" ").replace(/\s/g, " ");
  const { body, issues } = parseSearchQuery(query, { zone: readZone(values) });
  if (issues.length === 0) return body;
  const lines = issues.map(({ start, end, detail }) =>
    `${detail}\n  ${query}\n  ${" ".repeat(terminalWidth(query.slice(0, start)))}${
      "^".repeat(Math.max(1, terminalWidth(query.slice(start, end))))
    }`
  );
  throw new UsageError(lines.join("\n"));
}

/** The interface's name of a field, given that or its name in queries, such as `files`. */
export function fieldName(name: string): string {
  const field = queryField(FILE_SET_QUERY, name);
  return field && FILE_SET_QUERY.fields[field].name === name ? field : name;
}

/** Reads the whole number of an option; undefined without the option. */
export function readCount(
  values: Values,
  name: "attempts" | "limit" | "max" | "offset" | "prefetch" | "skip",
  least: number,
  most?: number,
): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const count = wholeNumber(text);
  if (count !== null && count >= least && count <= (most ?? Infinity)) return count;
  if (most === undefined && isTooLarge(text)) {
    throw new UsageError(`--${name} must be at most ${Number.MAX_SAFE_INTEGER}`);
  }
  const allowed = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new UsageError(`--${name} must be a whole number ${allowed}`);
}

const FORMATS = ["table", "csv", "ndjson", "json"] as const;

export type Format = typeof FORMATS[number];

export function readFormat({ format = "table", json }: Values): Format {
  const known = FORMATS.find((known) => known === format);
  if (!known) {
    const meant = suggestion(format, FORMATS);
    throw new UsageError(`--format must be one of ${FORMATS.join(", ")}${meant}`);
  }
  return json ? "json" : known;
}

/** Reads the chosen columns, if any; throws if one is unknown, or with `mayHaveMore`, a misspelt one. */
export function readColumns(
  chosen: string | undefined,
  all: readonly string[],
  { fieldOf = (name) => name, mayHaveMore = false }: {
    readonly fieldOf?: (name: string) => string;
    readonly mayHaveMore?: boolean;
  } = {},
): readonly string[] | undefined {
  if (chosen === undefined) return undefined;
  const columns = new Set(chosen.split(",").filter((name) => name !== "").map(fieldOf));
  if (columns.size === 0) throw new UsageError("--columns names no field");
  const known = [...new Set(all)];
  const unknown = [...columns].find((name) =>
    !known.includes(name) && !(mayHaveMore && suggestion(name, known) === "")
  );
  if (unknown !== undefined) {
    const meant = suggestion(unknown, known);
    throw new UsageError(`--columns: there is no "${unknown}"${meant}: use ${known.join(", ")}`);
  }
  return [...columns];
}

const MAX_SCHEDULES = 1000;

/** Reads ids and ranges, such as `101-112,120`. */
export function readIds(text: string): readonly number[] {
  const ids = new Set<number>();
  for (const part of text.split(/[\s,;]+/).filter((part) => part !== "")) {
    const [first, last = first] = part.split("-").map((end) => wholeNumber(end) ?? NaN);
    if (!(first >= 0 && last >= first) || part.split("-").length > 2) {
      throw new UsageError(`Schedules are ids and ranges, such as 101-112, not "${part}"`);
    }
    if (last - first >= MAX_SCHEDULES) throw new UsageError(TOO_MANY);
    for (let id = first; id <= last; id++) ids.add(id);
  }
  if (ids.size > MAX_SCHEDULES) throw new UsageError(TOO_MANY);
  return [...ids];
}

const TOO_MANY = "A command reads at most 1,000 schedules: use several commands";

export function readId(command: string, positionals: readonly string[]): number {
  const [text, ...more] = positionals;
  if (text === undefined) throw new UsageError(`${command} needs the id of a report schedule`);
  if (more.length > 0) throw new UsageError(`${command} takes one id, and not also "${more[0]}"`);
  const id = wholeNumber(text);
  if (id === null || id < 0) {
    throw new UsageError(
      `The id of a report schedule is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, ` +
        `not "${text}"`,
    );
  }
  return id;
}
