/** The values of single options and arguments. */
import { parseSearchUrl, readFilter } from "../lib/search/search_url_read.ts";
import type { SearchView } from "../lib/search/search_url.ts";
import { FILE_SET_QUERY, queryField, queryName } from "../lib/search/query_table.ts";
import { checkZone } from "../lib/judgement/plans/parse.ts";
import { isTooLarge, wholeNumber } from "../lib/format.ts";
import { UsageError } from "./command.ts";

export type Values = Readonly<Record<string, string | boolean | string[] | undefined>> & {
  readonly filter?: string[];
  readonly date?: string[];
  readonly sort?: string[];
  readonly key?: string[];
  readonly since?: string;
  readonly on?: string;
  readonly max?: string;
  readonly limit?: string;
  readonly columns?: string;
  readonly cron?: string;
  readonly zone?: string;
  readonly grace?: string;
  readonly calendar?: string;
  readonly schedules?: string;
  readonly "service-zone"?: string;
};

/** The zone in which days begin. */
export function readZone({ zone = "UTC" }: Values): string {
  try {
    return checkZone("zone", zone);
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`);
  }
}

/**
 * Reads conditions, sort keys and numbers, written as in Docket's URLs. Fields may have the names
 * that queries use, such as `files`.
 */
export function readView(given: Readonly<Record<string, unknown>>, zone?: string): SearchView {
  const params = Object.entries(given).flatMap(([name, value]) =>
    [value ?? []].flat().map((text) => [name, String(text)])
  );
  const lines = params.flatMap(([name, text]) =>
    parseSearchUrl(new URLSearchParams([[name, text]]), { zone }).issues
      .map(({ detail }) => `--${name} ${text}: ${detail}`)
  );
  if (lines.length > 0) throw new UsageError(lines.join("\n"));
  const { view } = parseSearchUrl(new URLSearchParams(params), { zone });
  const { body } = view;
  return {
    ...view,
    body: {
      ...(body.fieldSort && { fieldSort: body.fieldSort.map(withFieldName) }),
      ...(body.filters && { filters: body.filters.map(withFieldName) }),
      ...(body.dateFilters && { dateFilters: body.dateFilters.map(withFieldName) }),
    },
  };
}

/** Returns the conditions if each says what a field is compared with; otherwise throws. */
export function checkConditions(
  texts: readonly string[] = [],
  option: "--filter " | "" = "",
): readonly string[] {
  for (const text of texts) {
    const filter = readFilter(text);
    if (typeof filter === "string") throw new UsageError(`${option}${text}: ${filter}`);
    if (!filter.value?.length && filter.operator !== "IS_NULL") {
      throw new UsageError(
        `${option}${text}: write FIELD:OPERATOR:VALUE, such as owner:EQUALS:Finance`,
      );
    }
  }
  return texts;
}

function withFieldName<Part extends { readonly field: string }>(part: Part): Part {
  return { ...part, field: fieldName(part.field) };
}

/** The interface's name of a field, which may be given by its name in queries, such as `files`. */
export function fieldName(name: string): string {
  const field = queryField(FILE_SET_QUERY, name);
  return field && queryName(FILE_SET_QUERY, field) === name ? field : name;
}

/** A whole number of at least `least`, and at most `most` if that is given. */
export function readCount(name: string, text: string, least: number, most?: number): number {
  const count = wholeNumber(text);
  if (count !== null && count >= least && count <= (most ?? Infinity)) return count;
  if (most === undefined && isTooLarge(text)) {
    throw new UsageError(`--${name} must be at most ${Number.MAX_SAFE_INTEGER}`);
  }
  const allowed = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new UsageError(`--${name} must be a whole number ${allowed}`);
}

/** The most schedules that one command reads. */
const MOST_SCHEDULES = 1000;

/** Ids and ranges, such as `101-112,120`. */
export function readIds(text: string): readonly number[] {
  const ids = new Set<number>();
  for (const part of text.split(/[\s,;]+/).filter((part) => part !== "")) {
    const [first, last = first] = part.split("-").map((end) => wholeNumber(end) ?? NaN);
    if (!(first >= 0 && last >= first) || part.split("-").length > 2) {
      throw new UsageError(`Schedules are ids and ranges, such as 101-112, not "${part}"`);
    }
    if (last - first >= MOST_SCHEDULES) throw new UsageError(TOO_MANY);
    for (let id = first; id <= last; id++) ids.add(id);
  }
  if (ids.size > MOST_SCHEDULES) throw new UsageError(TOO_MANY);
  return [...ids];
}

const TOO_MANY = "A command reads at most 1,000 schedules: split the ids";

/** The id of the report schedule that a command is about. */
export function readId(command: string, words: readonly string[]): number {
  const [text, ...more] = words;
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
