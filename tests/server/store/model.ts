/** DESIGN.md's rules for a search, told plainly over an array: what the engines are held against. */
import type { FileSet, FileSetPage, SearchBody } from "../../../lib/types.ts";

type Value = string | number;

const TEXTS = ["id", "name", "description", "owner", "permission"];
const DATES = ["created", "updated"];

/** Answers a valid search over all rows. */
export function modelSearch(
  all: readonly FileSet[],
  body: SearchBody,
  { limit = 100, offset = 0 }: { limit?: number; offset?: number } = {},
): FileSetPage {
  const matching = all.filter((row) => matches(row, body));
  matching.sort((a, b) => compareRows(a, b, body));
  const fileSets = matching.slice(offset, offset + limit);
  const end = offset + fileSets.length;
  const next = fileSets.length > 0 && end < matching.length ? String(end) : "";
  return { fileSets, pageContext: { next, offset, limit, total: matching.length } };
}

function matches(row: FileSet, { filters = [], dateFilters = [] }: SearchBody): boolean {
  return filters.every(({ field, operator = "EQUALS", value = [], not = false }) => {
    const own = valueOf(row, field);
    const holds = operator === "IS_NULL"
      ? own === undefined
      : own !== undefined && value.some((text) => holdsFor(operator, own, readAs(field, text)));
    return holds !== not;
  }) && dateFilters.every(({ field, start, end, not = false }) => {
    const own = valueOf(row, field) as number | undefined;
    const isWithin = own !== undefined && (start === undefined || own >= Date.parse(start)) &&
      (end === undefined || own < Date.parse(end));
    return isWithin !== not;
  });
}

function holdsFor(operator: string, own: Value, other: Value): boolean {
  const order = compare(own, other);
  switch (operator) {
    case "EQUALS":
    case "IN":
      return order === 0;
    case "GREATER_THAN":
      return order > 0;
    case "GREATER_THAN_OR_EQUAL":
      return order >= 0;
    case "LESS_THAN":
      return order < 0;
    case "LESS_THAN_OR_EQUAL":
      return order <= 0;
    case "LIKE":
      return new RegExp(RegExp.escape(String(other)), "iu").test(String(own));
    default:
      throw new Error(`The model does not know ${operator}`);
  }
}

function compareRows(a: FileSet, b: FileSet, { fieldSort = [] }: SearchBody): number {
  for (const { field, order = "ASC" } of fieldSort) {
    const result = compareMissing(valueOf(a, field), valueOf(b, field));
    if (result !== 0) return order === "DESC" ? -result : result;
  }
  return compare(a.id, b.id);
}

function compareMissing(a: Value | undefined, b: Value | undefined): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  return compare(a, b);
}

function compare(a: Value, b: Value): number {
  if (typeof a === "number" || typeof b === "number") return Number(a) - Number(b);
  const left = Array.from(a, (character) => character.codePointAt(0)!);
  const right = Array.from(b, (character) => character.codePointAt(0)!);
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    if (left[at] !== right[at]) return left[at] - right[at];
  }
  return left.length - right.length;
}

function valueOf(row: FileSet, field: string): Value | undefined {
  const value = row[field as keyof FileSet] ?? undefined;
  return value !== undefined && DATES.includes(field) ? Date.parse(String(value)) : value;
}

function readAs(field: string, text: string): Value {
  if (TEXTS.includes(field)) return text;
  return DATES.includes(field) ? Date.parse(text) : Number(text);
}
