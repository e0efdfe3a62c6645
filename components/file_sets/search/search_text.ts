/** Searches as text: the labels of fields, operators and orders. */
import { FILE_SET_FIELDS } from "../../../lib/fields.ts";
import type {
  DateFilter,
  FieldSort,
  FileSetField,
  Filter,
  KnownOperator,
  KnownOrder,
} from "../../../lib/types.ts";
import { formatMoment } from "../../ui/zone.ts";

/** The texts of an operator. */
export interface OperatorLabels {
  /** In a sentence. */
  readonly is: string;
  /** In a sentence, negated. */
  readonly isNot: string;
  /** In the form, after `is` or `is not`. */
  readonly afterIs: string;
}

/** The texts of the known operators. */
export const OPERATOR_LABELS: Readonly<Record<KnownOperator, OperatorLabels>> = {
  EQUALS: { is: "is", isNot: "is not", afterIs: "equal to" },
  LIKE: { is: "contains", isNot: "does not contain", afterIs: "containing" },
  IN: { is: "is one of", isNot: "is none of", afterIs: "one of" },
  IS_NULL: { is: "has no value", isNot: "has a value", afterIs: "empty" },
  GREATER_THAN: { is: "is over", isNot: "is not over", afterIs: "greater than" },
  GREATER_THAN_OR_EQUAL: { is: "is at least", isNot: "is not at least", afterIs: "at least" },
  LESS_THAN: { is: "is under", isNot: "is not under", afterIs: "less than" },
  LESS_THAN_OR_EQUAL: { is: "is at most", isNot: "is not at most", afterIs: "at most" },
};

/** The texts of the known orders. */
export const ORDER_LABELS: Readonly<Record<KnownOrder, string>> = {
  ASC: "ascending",
  DESC: "descending",
};

/** The labels of the fields of a file set, in reading order. */
const FIELD_LABELS: Readonly<Record<FileSetField, string>> = {
  name: "name",
  description: "description",
  owner: "owner",
  permission: "permission",
  fileCount: "files",
  created: "created",
  createdBy: "created by",
  updated: "updated",
  updatedBy: "updated by",
  id: "id",
};

/** The fields of a file set, in reading order. */
export const FIELDS = Object.keys(FIELD_LABELS) as FileSetField[];

/** Whether a field holds a date. */
export function isDate(field: string): boolean {
  return kindOf(field) === "date-time";
}

/** Whether a field holds a number. */
export function isNumber(field: string): boolean {
  return kindOf(field) === "integer";
}

function kindOf(field: string) {
  return lookUp(FILE_SET_FIELDS, field)?.kind;
}

/** The label of a field in a sentence. An unknown field is its own label. */
export function fieldLabel(field: string): string {
  return lookUp(FIELD_LABELS, field) ?? field;
}

/** The label of a field as a heading. */
export function columnLabel(field: string): string {
  const label = fieldLabel(field);
  return label[0].toUpperCase() + label.slice(1);
}

/** Finds a field by its name or label, ignoring case. An unknown field is returned unchanged. */
export function resolveField(text: string): string {
  const wanted = text.toLowerCase();
  return FIELDS.find((field) => field.toLowerCase() === wanted || fieldLabel(field) === wanted) ??
    text;
}

/** A condition as a sentence, such as `owner is not 27`. */
export function formatFilter({ field, operator = "EQUALS", value = [], not }: Filter): string {
  const { is, isNot } = lookUp(OPERATOR_LABELS, operator) ??
    { is: operator, isNot: `not ${operator}` };
  const values = value.map((text) => text === "" ? "“”" : text).join(" or ");
  return [fieldLabel(field), not ? isNot : is, values].filter(Boolean).join(" ");
}

/** A date condition as a sentence, such as `created from 2026-11-01 00:00 UTC`. */
export function formatDateFilter({ field, start, end, not }: DateFilter): string {
  const range = [
    start && `from ${formatMoment(start, "UTC")}`,
    end && `before ${formatMoment(end, "UTC")}`,
  ].filter(Boolean).join(" and ");
  return `${fieldLabel(field)} ${not ? "is not " : ""}${range ? `${range} UTC` : "at any time"}`;
}

/** Sort keys as a reader would say them, such as `newest updated first`. */
export function formatOrder(sort: readonly FieldSort[]): string {
  return sort.map(({ field, order = "ASC" }) => {
    if (isDate(field) && order === "DESC") return `newest ${field} first`;
    if (isDate(field) && order === "ASC") return `oldest ${field} first`;
    return `by ${formatSortKey({ field, order })}`;
  }).join(", then ");
}

/** A sort key, such as `updated, descending`. */
export function formatSortKey({ field, order = "ASC" }: FieldSort): string {
  return `${fieldLabel(field)}, ${lookUp(ORDER_LABELS, order) ?? order}`;
}

/** The entry of an own property, since names may come from a URL. */
function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
