/** Searches as text: the labels of fields, operators and orders. */
import { fieldKind } from "../../../lib/fields.ts";
import { formatCount } from "../../../lib/format.ts";
import type { DateFilter, FieldSort, FileSetField, Filter } from "../../../lib/types.ts";
import { formatTimes, lookUp, operatorLabels, ORDER_LABELS } from "../../ui/search_words.ts";

/** The fields of a file set, in reading order. */
export const FIELDS: readonly FileSetField[] = [
  "name",
  "description",
  "owner",
  "permission",
  "fileCount",
  "created",
  "createdBy",
  "updated",
  "updatedBy",
  "id",
];

/** The labels of fields that are not their own label. */
const FIELD_LABELS: Readonly<Partial<Record<FileSetField, string>>> = {
  fileCount: "files",
  createdBy: "created by",
  updatedBy: "updated by",
};

/** The columns of a view that chooses none. The drawer and exports have every field. */
export const DEFAULT_COLUMNS: readonly string[] = [
  "name",
  "owner",
  "permission",
  "fileCount",
  "updated",
];

/** The columns of a view, in reading order. */
export function shownColumns({ columns = DEFAULT_COLUMNS }: {
  readonly columns?: readonly string[];
}): FileSetField[] {
  return FIELDS.filter((field) => columns.includes(field));
}

export function isDate(field: string): boolean {
  return fieldKind(field) === "date-time";
}

export function isNumber(field: string): boolean {
  return fieldKind(field) === "integer";
}

/** The label of a field in a sentence. An unknown field is its own label. */
export function fieldLabel(field: string): string {
  return lookUp(FIELD_LABELS, field) ?? field;
}

export function columnLabel(field: string): string {
  const label = fieldLabel(field);
  return label[0].toUpperCase() + label.slice(1);
}

/** A condition as a sentence, such as `owner is not 27`. */
export function formatFilter({ field, operator = "EQUALS", value = [], not }: Filter): string {
  const [is, isNot] = operatorLabels(operator);
  const shown = (text: string) =>
    field === "fileCount" && /^\d+$/.test(text) && Number.isSafeInteger(+text)
      ? formatCount(+text)
      : text;
  const values = value.map((text) => text === "" ? "“”" : shown(text)).join(" or ");
  return [fieldLabel(field), not ? isNot : is, values].filter(Boolean).join(" ");
}

/** A date condition as a sentence, such as `created from 2026-11-01 to 2026-11-30`. */
export function formatDateFilter(filter: DateFilter, zone: string): string {
  const { field, range, not } = filter;
  const times = range ? range.replaceAll("-", " ") : formatTimes(filter, zone);
  return `${fieldLabel(field)} ${not ? "is not " : ""}${times}`;
}

export function formatCondition(condition: Filter | DateFilter, zone: string): string {
  return "operator" in condition || "value" in condition
    ? formatFilter(condition)
    : formatDateFilter(condition, zone);
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

/** A name such as `last-month` as a label. */
export function sentenceCase(name: string): string {
  return name[0].toUpperCase() + name.slice(1).replaceAll("-", " ");
}
