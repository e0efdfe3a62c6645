/** Reads the two operations' requests. Problems also list the issues that the embedded service finds. */
import type { SearchBody, SearchInput } from "../../lib/types.ts";
import { LIMITS } from "../store/file_sets/read_search.ts";
import type { Store } from "../store/store.ts";
import { invalidRequest, isProblemError, type ValidationIssue } from "../http/problem.ts";
import { readJsonBody } from "../http/request_body.ts";
import { readNumbers } from "../http/request_query.ts";
import { wholeNumber } from "../../lib/format.ts";
import { inexactIn, isRow } from "../../lib/client/row_checks.ts";
import { textIssue } from "../http/shape.ts";

/** Reads a search; `check` returns the issues that the backend would find. */
export async function readSearchRequest(
  request: Request,
  url: URL,
  check?: Store["searchIssues"],
) {
  const issues: ValidationIssue[] = [];
  const options = readNumbers(url.searchParams, { limit: 1, offset: 0 }, issues);
  const body = searchBody(await readJsonOrIssue(request, issues), "", issues) as SearchInput;
  if (issues.length > 0) throw invalidRequest(mergeIssues(issues, check?.(body, options) ?? []));
  return { body, options };
}

export function readHistoryRequest(
  url: URL,
  scheduleId: string,
  check?: Store["historyIssues"],
) {
  const issues: ValidationIssue[] = [];
  const id = wholeNumber(scheduleId);
  if (id === null) {
    issues.push({ parameter: "scheduleId", detail: "must be a whole number within 2^53" });
  }
  const options = readNumbers(url.searchParams, { limit: 1, skip: 0 }, issues);
  if (id === null || issues.length > 0) {
    throw invalidRequest(mergeIssues(issues, check?.(options) ?? []));
  }
  return { scheduleId: id, options };
}

/** Reports a body that can't be parsed as an issue, unless its problem is not a 400. */
async function readJsonOrIssue(
  request: Request,
  issues: ValidationIssue[],
): Promise<unknown> {
  try {
    return await readJsonBody(request);
  } catch (error) {
    if (!isProblemError(error) || error.problem.status !== 400) throw error;
    issues.push({ pointer: "", detail: error.message });
    return {};
  }
}

/** One issue for each location: the reader's for the body, the backend's more precise one for numbers. */
function mergeIssues(
  read: readonly ValidationIssue[],
  checked: readonly ValidationIssue[],
): readonly ValidationIssue[] {
  const preciseIssues = new Map(checked.map((issue) => [issue.parameter, issue]));
  return [
    ...read.map((issue) => issue.parameter && preciseIssues.get(issue.parameter) || issue),
    ...checked.filter((issue) => !read.some((other) => isWithin(issue, other))),
  ];
}

/** Whether an issue has the same location as another, or one inside it. */
function isWithin({ parameter, pointer }: ValidationIssue, outer: ValidationIssue): boolean {
  if (pointer === undefined) return parameter === outer.parameter;
  return outer.pointer !== undefined && `${pointer}/`.startsWith(`${outer.pointer}/`);
}

/** The issues of a search in a link that exceeds the API's limits, which apply to every service. */
export function searchLimitIssues(body: SearchBody) {
  const { filters = [], dateFilters = [], fieldSort = [] } = body;
  const counts = [
    { parameter: "q", noun: "conditions on values", count: filters.length, max: LIMITS.filters },
    { parameter: "q", noun: "dates", count: dateFilters.length, max: LIMITS.dateFilters },
    { parameter: "sort", noun: "sort keys", count: fieldSort.length, max: LIMITS.sortKeys },
  ];
  return counts.filter(({ count, max }) => count > max).map(({ parameter, noun, count, max }) => ({
    parameter,
    detail: `must have at most ${max} ${noun}, not ${count}`,
  }));
}

const MAX_ISSUES = 1000;

/** Reads one value. If it is invalid, adds the issue and returns undefined. */
type Reader = (json: unknown, pointer: string, issues: ValidationIssue[]) => unknown;

const flag: Reader = (json, pointer, issues) => {
  if (typeof json === "boolean") return json;
  addIssue(issues, pointer, "must be true or false");
};

const text: Reader = (json, pointer, issues) => {
  const issue = typeof json === "string" ? textIssue(json) : "must be a text";
  if (issue === undefined) return json;
  addIssue(issues, pointer, issue);
};

/** A value to compare with. */
const scalar: Reader = (json, pointer, issues) => {
  if (typeof json === "string") return text(json, pointer, issues);
  const isNumber = typeof json === "number";
  if (typeof json === "boolean" || (isNumber && !inexactIn(json))) return json;
  addIssue(issues, pointer, isNumber ? "must be exact" : "must be a text, a number, true or false");
};

/** Invalid items stay in the list as undefined, so that pointers to the others are right. */
function readList(read: Reader): Reader {
  return (json, pointer, issues) => {
    if (Array.isArray(json)) {
      return json.map((item, index) => read(item, `${pointer}/${index}`, issues));
    }
    addIssue(issues, pointer, "must be an array");
  };
}

/** The backend decides which members are required, because the interface does not say. */
function readObject(members: Readonly<Record<string, Reader>>): Reader {
  return (json, pointer, issues) => {
    if (!isRow(json)) {
      addIssue(issues, pointer, "must be an object");
      return {};
    }
    const allowed = Object.keys(members).join(", ");
    for (const name of Object.keys(json)) {
      if (Object.hasOwn(members, name)) continue;
      addIssue(issues, `${pointer}/${escaped(name)}`, `is not known; allowed are ${allowed}`);
    }
    const present = Object.entries(members).filter(([name]) => Object.hasOwn(json, name));
    // Null is as good as absent, and is passed on to an upstream.
    const values = present.map(([name, read]) =>
      [name, json[name] === null ? null : read(json[name], `${pointer}/${name}`, issues)] as const
    );
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  };
}

/** Reads a search body without its invalid parts, so that the others can be checked. */
const searchBody = readObject({
  fieldSort: readList(readObject({ field: text, order: text })),
  filters: readList(
    readObject({ field: text, value: readList(scalar), not: flag, operator: text }),
  ),
  dateFilters: readList(readObject({ field: text, start: text, end: text, not: flag })),
});

function addIssue(issues: ValidationIssue[], pointer: string, detail: string): void {
  if (issues.length < MAX_ISSUES) issues.push({ pointer, detail });
}

/** A name in a JSON pointer (RFC 6901). Callers choose it, so a response only repeats its beginning. */
function escaped(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}
