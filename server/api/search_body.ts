/**
 * The search body from unknown JSON: every member has its documented type, or is named as a fault.
 *
 * @module
 */

import type { DateFilter, FieldSort, Filter, SearchBody } from "../../lib/types.ts";
import type { ValidationIssue } from "../http/problem.ts";

/** The most issues that one answer names; a megabyte of issues helps nobody. */
export const MAX_ISSUES = 1000;

/**
 * Reads a search body. Faulty parts are left out of the result and keep their place in arrays, so
 * that the rest can be checked further under the right pointers.
 */
export function readSearchBody(json: unknown, issues: ValidationIssue[]): SearchBody {
  const body = readObject(json, "", ["fieldSort", "filters", "dateFilters"], issues);
  return {
    ...readArray(body, "fieldSort", "", readSort, issues),
    ...readArray(body, "filters", "", readFilter, issues),
    ...readArray(body, "dateFilters", "", readDateFilter, issues),
  };
}

function readSort(json: unknown, pointer: string, issues: ValidationIssue[]): FieldSort {
  const sort = readObject(json, pointer, ["field", "order"], issues);
  return {
    ...presentField(sort, pointer, issues),
    ...present("order", readText(sort, "order", pointer, issues)),
  };
}

function readFilter(json: unknown, pointer: string, issues: ValidationIssue[]): Filter {
  const filter = readObject(json, pointer, ["field", "value", "not", "operator"], issues);
  return {
    ...presentField(filter, pointer, issues),
    ...readArray(filter, "value", pointer, textElement, issues),
    ...present("not", readBoolean(filter, "not", pointer, issues)),
    ...present("operator", readText(filter, "operator", pointer, issues)),
  };
}

function readDateFilter(json: unknown, pointer: string, issues: ValidationIssue[]): DateFilter {
  const filter = readObject(json, pointer, ["field", "start", "end", "not"], issues);
  return {
    ...presentField(filter, pointer, issues),
    ...present("start", readText(filter, "start", pointer, issues)),
    ...present("end", readText(filter, "end", pointer, issues)),
    ...present("not", readBoolean(filter, "not", pointer, issues)),
  };
}

// The interface does not say that a field is needed: its absence is for the backend to judge.
function presentField(
  owner: Members,
  pointer: string,
  issues: ValidationIssue[],
): { field: string } {
  return present("field", readText(owner, "field", pointer, issues)) as { field: string };
}

type Members = Readonly<Record<string, unknown>>;

function readObject(
  json: unknown,
  pointer: string,
  known: readonly string[],
  issues: ValidationIssue[],
): Members {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    add(issues, pointer, "must be an object");
    return {};
  }
  for (const name of Object.keys(json)) {
    if (known.includes(name)) continue;
    add(issues, `${pointer}/${escaped(name)}`, `is not known; allowed are ${known.join(", ")}`);
  }
  return json as Members;
}

function readArray<Name extends string, T>(
  owner: Members,
  name: Name,
  pointer: string,
  read: (json: unknown, pointer: string, issues: ValidationIssue[]) => T,
  issues: ValidationIssue[],
): { [K in Name]?: T[] } {
  if (!Object.hasOwn(owner, name)) return {};
  const json = owner[name];
  const here = `${pointer}/${name}`;
  if (!Array.isArray(json)) {
    add(issues, here, "must be an array");
    return {};
  }
  const items = json.map((item, index) => read(item, `${here}/${index}`, issues));
  return { [name]: items } as { [K in Name]?: T[] };
}

function readText(
  owner: Members,
  name: string,
  pointer: string,
  issues: ValidationIssue[],
): string | undefined {
  return Object.hasOwn(owner, name)
    ? textElement(owner[name], `${pointer}/${name}`, issues)
    : undefined;
}

function textElement(json: unknown, pointer: string, issues: ValidationIssue[]): string {
  if (typeof json === "string" && json.isWellFormed() && !json.includes("\0")) return json;
  if (typeof json !== "string") add(issues, pointer, "must be a text");
  else if (json.includes("\0")) add(issues, pointer, "must not contain the NUL character");
  else add(issues, pointer, "must not contain half of a surrogate pair");
  return undefined as never; // The fault is named, so the body is never used.
}

function readBoolean(
  owner: Members,
  name: string,
  pointer: string,
  issues: ValidationIssue[],
): boolean | undefined {
  if (!Object.hasOwn(owner, name)) return undefined;
  const json = owner[name];
  if (typeof json === "boolean") return json;
  add(issues, `${pointer}/${name}`, "must be true or false");
  return undefined;
}

function present<Name extends string, T>(name: Name, value: T | undefined): { [K in Name]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: T };
}

function add(issues: ValidationIssue[], pointer: string, detail: string): void {
  if (issues.length < MAX_ISSUES) issues.push({ pointer, detail });
}

// RFC 6901; a name of any length or content must not get into the answer whole.
function escaped(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}
