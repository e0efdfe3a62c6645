/** Reads the conditions and sort keys of a search, and reports every validation issue. */
import { type KnownOperator, OPERATORS } from "../../../lib/fields.ts";
import type { DateFilter, FieldSort, Filter } from "../../../lib/types.ts";
import { isTooLarge, wholeNumber } from "../../../lib/format.ts";
import { readDateTime } from "../../../lib/date_times.ts";
import { fieldNamed, FIELDS, type StoredField } from "../fields.ts";
import { textIssue } from "../text.ts";
import type { ColumnCondition, ColumnRange, Comparison, SortKey, Value } from "./plan.ts";

export type Report = (pointer: string, detail: string) => void;

const COMPARISONS: Readonly<Record<KnownOperator, Comparison>> = {
  EQUALS: "=",
  LIKE: "contains",
  IN: "=",
  IS_NULL: "missing",
  GREATER_THAN: ">",
  GREATER_THAN_OR_EQUAL: ">=",
  LESS_THAN: "<",
  LESS_THAN_OR_EQUAL: "<=",
};

export function readSort(
  key: FieldSort | undefined,
  pointer: string,
  report: Report,
): SortKey[] {
  if (!key) return [];
  const field = knownField(key.field, pointer, FIELDS, report);
  const order = key.order ?? "ASC";
  if (order !== "ASC" && order !== "DESC") {
    report(`${pointer}/order`, "must be ASC or DESC");
  }
  return field ? [{ field, descending: order === "DESC" }] : [];
}

export function readFilter(
  filter: Filter | undefined,
  pointer: string,
  report: Report,
): ColumnCondition[] {
  if (!filter) return [];
  const field = knownField(filter.field, pointer, FIELDS, report);
  const operator = OPERATORS.find((known) => known === (filter.operator ?? "EQUALS"));
  if (!operator) {
    report(`${pointer}/operator`, `must be one of ${OPERATORS.join(", ")}`);
    return [];
  }
  const comparison = COMPARISONS[operator];
  const texts = filter.value ?? [];
  const valuePointer = `${pointer}/value`;
  if (comparison === "missing") {
    if (texts.length > 0) report(valuePointer, "must be empty with IS_NULL");
    return field ? [{ field, comparison, values: [], not: filter.not ?? false }] : [];
  }
  if (texts.length === 0) report(valuePointer, "needs at least one value");
  if (!field) return [];
  if (comparison === "contains" && field.kind !== "string") {
    const names = namesOf(FIELDS.filter(({ kind }) => kind === "string"));
    report(`${pointer}/operator`, `must not be LIKE for ${field.name}: only for ${names}`);
    return [];
  }
  const values = texts.flatMap((text, index) =>
    text === undefined ? [] : readValue(field, text, `${valuePointer}/${index}`, report)
  );
  return [{ field, comparison, values: [...new Set(values)], not: filter.not ?? false }];
}

export function readDateFilter(
  filter: DateFilter | undefined,
  pointer: string,
  report: Report,
): ColumnRange[] {
  if (!filter) return [];
  const dates = FIELDS.filter((field) => field.kind === "date-time");
  const field = knownField(filter.field, pointer, dates, report);
  if (filter.start === undefined && filter.end === undefined) {
    report(pointer, "needs a start, an end, or both");
  }
  const start = readBound(filter.start, `${pointer}/start`, report);
  const end = readBound(filter.end, `${pointer}/end`, report);
  return field ? [{ field, start, end, not: filter.not ?? false }] : [];
}

function readBound(
  text: string | undefined,
  pointer: string,
  report: Report,
): number | undefined {
  if (text === undefined) return undefined;
  const read = readDateTime(text);
  if (read.issue !== undefined) report(pointer, read.issue);
  return read.ms;
}

function knownField(
  name: string | undefined,
  pointer: string,
  allowed: readonly StoredField[],
  report: Report,
): StoredField | undefined {
  const field = name === undefined ? undefined : fieldNamed(name);
  if (field && allowed.includes(field)) return field;
  report(`${pointer}/field`, `must be one of ${namesOf(allowed)}`);
  return undefined;
}

function namesOf(fields: readonly StoredField[]): string {
  return fields.map(({ name }) => name).join(", ");
}

function readValue(
  field: StoredField,
  text: string,
  pointer: string,
  report: Report,
): Value[] {
  if (field.kind === "string") {
    const issue = textIssue(text);
    if (issue) report(pointer, issue);
    return [text];
  }
  if (field.kind === "date-time") return [readBound(text, pointer, report) ?? []].flat();
  const number = wholeNumber(text);
  if (number === null) {
    report(
      pointer,
      isTooLarge(text)
        ? `must be at most ${Number.MAX_SAFE_INTEGER}`
        : `must be a whole number, as ${field.name} is`,
    );
    return [];
  }
  return [number];
}
