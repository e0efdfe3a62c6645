/**
 * The search body from unknown JSON: every member has its documented type, or is named as a fault.
 *
 * @module
 */

import type { DateFilter, FieldSort, Filter, SearchBody } from "../../lib/types.ts";
import type { Fault } from "../http/problem.ts";

/** The most faults that one answer names; a megabyte of faults helps nobody. */
export const MAX_FAULTS = 1000;

/**
 * Reads a search body. Faulty parts are left out of the result and keep their place in arrays, so
 * that the rest can be checked further under the right pointers.
 */
export function readSearchBody(json: unknown, faults: Fault[]): SearchBody {
  const body = readObject(json, "", ["fieldSort", "filters", "dateFilters"], faults);
  return {
    ...readArray(body, "fieldSort", "", readSort, faults),
    ...readArray(body, "filters", "", readFilter, faults),
    ...readArray(body, "dateFilters", "", readDateFilter, faults),
  };
}

function readSort(json: unknown, pointer: string, faults: Fault[]): FieldSort {
  const sort = readObject(json, pointer, ["field", "order"], faults);
  return {
    ...presentField(sort, pointer, faults),
    ...present("order", readText(sort, "order", pointer, faults)),
  };
}

function readFilter(json: unknown, pointer: string, faults: Fault[]): Filter {
  const filter = readObject(json, pointer, ["field", "value", "not", "operator"], faults);
  return {
    ...presentField(filter, pointer, faults),
    ...readArray(filter, "value", pointer, textElement, faults),
    ...present("not", readBoolean(filter, "not", pointer, faults)),
    ...present("operator", readText(filter, "operator", pointer, faults)),
  };
}

function readDateFilter(json: unknown, pointer: string, faults: Fault[]): DateFilter {
  const filter = readObject(json, pointer, ["field", "start", "end", "not"], faults);
  return {
    ...presentField(filter, pointer, faults),
    ...present("start", readText(filter, "start", pointer, faults)),
    ...present("end", readText(filter, "end", pointer, faults)),
    ...present("not", readBoolean(filter, "not", pointer, faults)),
  };
}

// The interface does not say that a field is needed: its absence is for the backend to judge.
function presentField(owner: Members, pointer: string, faults: Fault[]): { field: string } {
  return present("field", readText(owner, "field", pointer, faults)) as { field: string };
}

type Members = Readonly<Record<string, unknown>>;

function readObject(
  json: unknown,
  pointer: string,
  known: readonly string[],
  faults: Fault[],
): Members {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    add(faults, pointer, "must be an object");
    return {};
  }
  for (const name of Object.keys(json)) {
    if (known.includes(name)) continue;
    add(faults, `${pointer}/${escaped(name)}`, `is not known; allowed are ${known.join(", ")}`);
  }
  return json as Members;
}

function readArray<Name extends string, T>(
  owner: Members,
  name: Name,
  pointer: string,
  read: (json: unknown, pointer: string, faults: Fault[]) => T,
  faults: Fault[],
): { [K in Name]?: T[] } {
  if (!Object.hasOwn(owner, name)) return {};
  const json = owner[name];
  const here = `${pointer}/${name}`;
  if (!Array.isArray(json)) {
    add(faults, here, "must be an array");
    return {};
  }
  const items = json.map((item, index) => read(item, `${here}/${index}`, faults));
  return { [name]: items } as { [K in Name]?: T[] };
}

function readText(
  owner: Members,
  name: string,
  pointer: string,
  faults: Fault[],
): string | undefined {
  return Object.hasOwn(owner, name)
    ? textElement(owner[name], `${pointer}/${name}`, faults)
    : undefined;
}

function textElement(json: unknown, pointer: string, faults: Fault[]): string {
  if (typeof json === "string" && json.isWellFormed() && !json.includes("\0")) return json;
  if (typeof json !== "string") add(faults, pointer, "must be a text");
  else if (json.includes("\0")) add(faults, pointer, "must not contain the NUL character");
  else add(faults, pointer, "must not contain half of a surrogate pair");
  return undefined as never; // The fault is named, so the body is never used.
}

function readBoolean(
  owner: Members,
  name: string,
  pointer: string,
  faults: Fault[],
): boolean | undefined {
  if (!Object.hasOwn(owner, name)) return undefined;
  const json = owner[name];
  if (typeof json === "boolean") return json;
  add(faults, `${pointer}/${name}`, "must be true or false");
  return undefined;
}

function present<Name extends string, T>(name: Name, value: T | undefined): { [K in Name]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: T };
}

function add(faults: Fault[], pointer: string, detail: string): void {
  if (faults.length < MAX_FAULTS) faults.push({ pointer, detail });
}

// RFC 6901; a name of any length or content must not get into the answer whole.
function escaped(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}
