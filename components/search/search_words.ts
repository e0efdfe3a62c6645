import { formatMoment } from "../../lib/moments.ts";
import { capitalized, formatBytes, formatCount, formatDuration } from "../../lib/format.ts";
import { dayIn } from "../../lib/days.ts";
import { DATE_RANGES } from "../../lib/search/date_ranges.ts";
import { fieldNamed, type QueryTable } from "../../lib/search/query_table.ts";
import type { KnownOperator, KnownOrder } from "../../lib/fields.ts";
import type { DateFilter, FieldSort } from "../../lib/types.ts";
import { formatZone } from "../ui/moment.tsx";
import { type Condition, isDateCondition } from "./conditions.ts";
import type { SearchPage } from "./page_view.ts";

type OperatorLabels = readonly [is: string, isNot: string];

const OPERATOR_LABELS: Readonly<Record<KnownOperator, OperatorLabels>> = {
  EQUALS: ["is", "is not"],
  LIKE: ["contains", "does not contain"],
  IN: ["is one of", "is none of"],
  IS_NULL: ["has no value", "has a value"],
  GREATER_THAN: ["is over", "is not over"],
  GREATER_THAN_OR_EQUAL: ["is at least", "is not at least"],
  LESS_THAN: ["is under", "is not under"],
  LESS_THAN_OR_EQUAL: ["is at most", "is not at most"],
};

const ORDER_LABELS: Readonly<Record<KnownOrder, string>> = {
  ASC: "ascending",
  DESC: "descending",
};

type WordOptions = Pick<SearchPage, "table" | "zone" | "names">;

export function isDate(table: QueryTable, field: string): boolean {
  return fieldNamed(table, field)?.kind === "date-time";
}

export function isNumber(table: QueryTable, field: string): boolean {
  return /^(integer|count|seconds|bytes)$/.test(fieldNamed(table, field)?.kind ?? "");
}

export function fieldLabel(table: QueryTable, field: string): string {
  const known = fieldNamed(table, field);
  return known ? known.label ?? known.name.replaceAll("-", " ") : field;
}

export function columnLabel(table: QueryTable, field: string): string {
  return capitalized(fieldLabel(table, field));
}

function valueText(field: string, text: string, { table, names }: WordOptions): string {
  if (text === "") return "“”";
  const { kind, choices = {} } = fieldNamed(table, field) ?? {};
  if (kind === "boolean") {
    return Object.keys(choices).find((word) => choices[word] === text) ?? text;
  }
  if (!/^\d+(\.\d+)?$/.test(text) || !Number.isSafeInteger(Math.round(+text))) return text;
  switch (kind) {
    case "seconds":
      return formatDuration(Number(text) * 1000);
    case "bytes":
      return formatBytes(Number(text));
    case "count":
      return formatCount(Number(text));
    case "recipient":
      return names?.get(Number(text)) || `user ${text}`;
  }
  return text;
}

/** A named range in words, such as `last month`; undefined for other ranges. */
export function rangeName({ range = "" }: DateFilter): string | undefined {
  return DATE_RANGES.includes(range) ? range.replaceAll("-", " ") : undefined;
}

/** A condition as a sentence, such as `created from 2026-11-01 to 2026-11-30`. */
export function formatCondition(condition: Condition, words: WordOptions): string {
  const { table, zone } = words;
  const label = fieldLabel(table, condition.field);
  if (isDateCondition(condition)) {
    const times = rangeName(condition) ?? formatTimes(condition, zone);
    const text = `${label} ${condition.not ? "is not " : ""}${times}`;
    return times.includes(":") ? `${text} ${formatZone(zone)}` : text;
  }
  const { field, operator = "EQUALS", value = [], not } = condition;
  const [is, isNot] = operatorLabels(operator);
  const values = operator === "IS_NULL"
    ? ""
    : value.map((text) => valueText(field, text, words)).join(" or ");
  return [label, not ? isNot : is, values].filter(Boolean).join(" ");
}

/** The times of a condition in a zone. Whole days have no hours, and include the last one. */
export function formatTimes({ start, end, range }: DateFilter, zone: string): string {
  if (!start && !end) return "at any time";
  if (!range) {
    return [
      start && `from ${formatMoment(start, zone)}`,
      end && `before ${formatMoment(end, zone)}`,
    ].filter(Boolean).join(" and ");
  }
  const day = dayIn(zone);
  const first = start && day(Date.parse(start));
  const last = end && day(Date.parse(end) - 1);
  if (first === last) return `on ${first}`;
  return [first && `from ${first}`, last && `${first ? "to" : "until"} ${last}`]
    .filter(Boolean).join(" ");
}

export function formatSortKey({ field, order = "ASC" }: FieldSort, table: QueryTable): string {
  return `${fieldLabel(table, field)}, ${lookUp(ORDER_LABELS, order) ?? order}`;
}

export function operatorLabels(operator: string): OperatorLabels {
  return lookUp(OPERATOR_LABELS, operator) ?? [operator, `not ${operator}`];
}

/** Looks up own properties only, since names may come from a URL. */
function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
