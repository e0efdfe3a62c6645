/** Checks a search, and filters and sorts rows of any kind by it. */
import { readDateTime } from "../date_times.ts";
import { type KnownOperator, OPERATORS, ORDERS } from "../fields.ts";
import { wholeNumber } from "../format.ts";
import type { DateFilter, FieldSort, SearchBody } from "../types.ts";
import type { QueryKind } from "./query_table.ts";

/** The kind of a field; undefined if it is not known, so that it may hold anything. */
type FindKind = (field: string) => QueryKind | undefined;

/** Sentences that say which operators, orders and values of a search are not valid. */
export function searchIssues(
  { filters = [], dateFilters = [], fieldSort = [] }: SearchBody,
  findKind: FindKind,
  operators: readonly string[] = OPERATORS,
  orders: readonly string[] = ORDERS,
): string[] {
  return [
    ...filters.flatMap(({ field, operator = "EQUALS", value = [] }) => {
      const kind = findKind(field) ?? "string";
      if (!operators.includes(operator)) return `No operator is called ${operator}`;
      if (operator === "IS_NULL") return value.length > 0 ? `${field} IS_NULL takes no value` : [];
      if (value.length === 0) return `${field} ${operator} needs a value`;
      const isText = kind === "string" || kind === "words";
      if (operator === "LIKE" && !isText) return `${field} does not take LIKE`;
      return isText ? [] : value.flatMap((text) => valueIssue(field, kind, text));
    }),
    ...dateFilters.flatMap(({ field, start, end }) => {
      const bounds = [start, end].filter((bound) => bound !== undefined);
      if (bounds.length === 0) return `${field} needs a start, an end, or both`;
      return bounds.flatMap((text) => valueIssue(field, "date-time", text));
    }),
    ...fieldSort.map(({ order = "ASC" }) => order).filter((order) => !orders.includes(order))
      .map((order) => `No order is called ${order}`),
  ];
}

function valueIssue(field: string, kind: QueryKind, text: string): string | readonly [] {
  if (kind === "date-time") {
    const { issue } = readDateTime(text);
    return issue === undefined ? [] : `${field}: ${text} ${issue}`;
  }
  const [isValid, expected] = kind === "boolean"
    ? [text === "true" || text === "false", "true or false"]
    : kind === "seconds"
    ? [/^-?\d+(\.\d+)?$/.test(text), "a number of seconds"]
    : [wholeNumber(text) !== null, "a whole number"];
  return isValid ? [] : `${field} must be ${expected}, not ${text}`;
}

/** The values of a row's field, none if it has none; times are milliseconds since 1970. */
type ReadValues<Row> = (row: Row, field: string) => readonly FilterValue[];

/** Makes a test for rows that meet all conditions of a search that is valid. */
export function rowTest<Row>(
  { filters = [], dateFilters = [] }: SearchBody,
  readValues: ReadValues<Row>,
  findKind: FindKind,
): (row: Row) => boolean {
  const toWanted = (field: string, text: string) =>
    findKind(field) === "date-time" ? String(readDateTime(text).ms) : text;
  const conditions = [
    ...filters.map(({ field, operator = "EQUALS", value = [], not = false }) => {
      const isMatch = valueTest(operator, value.map((text) => toWanted(field, text)));
      return (row: Row) => {
        const values = readValues(row, field);
        return (operator === "IS_NULL" ? values.length === 0 : values.some(isMatch)) !== not;
      };
    }),
    ...dateFilters.map(({ field, not = false, ...range }) => {
      const isInRange = rangeTest(range);
      return (row: Row) => readValues(row, field).some(isInRange) !== not;
    }),
  ];
  return (row) => conditions.every((holds) => holds(row));
}

/** Makes a test for times in a range, which includes its start but not its end. */
function rangeTest({ start, end }: Pick<DateFilter, "start" | "end">) {
  const first = start ? Date.parse(start) : -Infinity;
  const after = end ? Date.parse(end) : Infinity;
  return (value: FilterValue): boolean => {
    const time = typeof value === "number" ? value : Date.parse(String(value));
    return !Number.isNaN(time) && !(time < first) && !(time >= after);
  };
}

/** Sorts rows by the first value of each field. Rows that the keys don't order stay in their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  keys: readonly FieldSort[],
  readValues: ReadValues<Row>,
): Row[] {
  const signs = keys.map(({ order }) => order === "DESC" ? -1 : 1);
  return rows
    .map((row) => ({ row, values: keys.map(({ field }) => readValues(row, field)[0]) }))
    .sort((a, b) => {
      for (let at = 0; at < signs.length; at++) {
        const order = compareValues(a.values[at], b.values[at]);
        if (order !== 0) return order * signs[at];
      }
      return 0;
    })
    .map(({ row }) => row);
}

export type FilterValue = string | number | boolean;

/** Makes a test for values that meet an operator with any of the wanted texts. */
function valueTest(
  operator: string,
  wanted: readonly string[],
): (value: FilterValue) => boolean {
  if (operator === "LIKE") {
    const parts = wanted.map(foldCase);
    return (value) => {
      const text = foldCase(String(value));
      return parts.some((part) => text.includes(part));
    };
  }
  if (operator === "EQUALS" || operator === "IN") {
    const [texts, numbers] = [new Set(wanted), new Set(wanted.map(Number))];
    return (value) => typeof value === "number" ? numbers.has(value) : texts.has(String(value));
  }
  const holds = COMPARISONS[operator as Comparison];
  const difference = (value: FilterValue, bound: string) =>
    typeof value === "number" ? value - Number(bound) : compareTexts(String(value), bound);
  return (value) => wanted.some((bound) => holds(difference(value, bound)));
}

type Comparison = Exclude<KnownOperator, "EQUALS" | "LIKE" | "IN" | "IS_NULL">;

/** Whether a comparison holds, given the difference between a value and its bound. */
const COMPARISONS: Readonly<Record<Comparison, (difference: number) => boolean>> = {
  GREATER_THAN: (difference) => difference > 0,
  GREATER_THAN_OR_EQUAL: (difference) => difference >= 0,
  LESS_THAN: (difference) => difference < 0,
  LESS_THAN_OR_EQUAL: (difference) => difference <= 0,
};

/** Compares values of a field; a missing one comes first, and texts are ordered by code points. */
export function compareValues(a: FilterValue | undefined, b: FilterValue | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return a < b ? -1 : 1;
}

function compareTexts(a: string, b: string): number {
  // Otherwise, units of 16 bits have the same order.
  if (!/[\ud800-\udfff]/.test(a + b)) return a < b ? -1 : Number(a > b);
  const [one, other] = [a, b].map((text) => Array.from(text, (each) => each.codePointAt(0)!));
  const at = one.findIndex((point, at) => point !== other[at]);
  return at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1);
}

// deno-lint-ignore no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** A text without case, the same on both engines. Each character is folded alone, even a final sigma. */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) {
    // Lower case first: ẞ has no other upper case, while ß becomes SS.
    folded += character.toLowerCase().toUpperCase().toLowerCase();
  }
  return folded;
}
