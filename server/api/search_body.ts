/** Reads a search body from JSON: each member has its documented type, or there is an issue. */
import { isRow } from "../../lib/client/row_checks.ts";
import type { SearchBody } from "../../lib/types.ts";
import type { ValidationIssue } from "../http/problem.ts";
import { textIssue } from "../store/text.ts";

/** The most issues that one response lists: a megabyte of them helps nobody. */
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

/** Invalid items keep their place, so that pointers to the others stay right. */
function listOf(read: Reader): Reader {
  return (json, pointer, issues) => {
    if (Array.isArray(json)) {
      return json.map((item, index) => read(item, `${pointer}/${index}`, issues));
    }
    addIssue(issues, pointer, "must be an array");
  };
}

/** No member is required here: the interface does not say which are, so the backend decides. */
function objectOf(members: Readonly<Record<string, Reader>>): Reader {
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
    const values = present.map(([name, read]) =>
      [name, read(json[name], `${pointer}/${name}`, issues)] as const
    );
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  };
}

const searchBody = objectOf({
  fieldSort: listOf(objectOf({ field: text, order: text })),
  filters: listOf(objectOf({ field: text, value: listOf(text), not: flag, operator: text })),
  dateFilters: listOf(objectOf({ field: text, start: text, end: text, not: flag })),
});

/**
 * Reads a search body. It can be sent only if no issue was added: invalid parts are missing from it,
 * so that the rest can be checked further.
 */
export function readSearchBody(json: unknown, issues: ValidationIssue[]): SearchBody {
  return searchBody(json, "", issues) as SearchBody;
}

function addIssue(issues: ValidationIssue[], pointer: string, detail: string): void {
  if (issues.length < MAX_ISSUES) issues.push({ pointer, detail });
}

// RFC 6901. Callers choose these names, so a response repeats no more than the beginning of one.
function escaped(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}
