/** What an editor of a condition holds before it is applied. */
import { calendarDays, isDateRange } from "../../lib/search/date_ranges.ts";
import {
  COMPARISON_SIGNS,
  fieldOf,
  KIND_OPERATORS,
  type QueryTable,
} from "../../lib/search/query_table.ts";
import { writeUnits } from "../../lib/search/query_units.ts";
import { parseQuery } from "../../lib/search/search_query.ts";
import { formatSearchQuery } from "../../lib/search/search_query_format.ts";
import { quotePart } from "../../lib/search/search_query_tokens.ts";
import type { ParameterIssue } from "../../lib/search/search_url_read.ts";
import { type Condition, conditionsOf, isDateCondition } from "./conditions.ts";
import type { ParseOptions } from "./parse_page_view.ts";
import { columnLabel } from "./search_words.ts";

export const INPUTS = {
  /** Marks a form, whose answer is a link without empty parameters. */
  form: "new-form",
  field: "new-field",
  replaces: "new-replaces",
  operator: "new-operator",
  /** Repeated: values that were chosen. */
  chosen: "new-chosen",
  value: "new-value",
  range: "new-range",
  from: "new-from",
  through: "new-through",
  next: "new-next",
  sortField: "new-sort",
  sortOrder: "new-order",
  column: "new-column",
} as const;

/** The pseudo-operator of a range of dates. */
export const DURING = "DURING";

export interface Draft {
  readonly field: string;
  /** The operator, with `!` in front where it is negated. */
  readonly operator: string;
  readonly chosen: readonly string[];
  /** Values that were typed, separated by commas. */
  readonly value: string;
  readonly range: string;
  readonly from: string;
  readonly through: string;
  readonly replaces: string;
}

export function newDraft(field: string, table: QueryTable): Draft {
  return {
    field,
    operator: operatorsFor(field, table)[0],
    chosen: [],
    value: "",
    range: "",
    from: "",
    through: "",
    replaces: "",
  };
}

export function draftOf(
  condition: Condition,
  replaces: string,
  { table, zone }: { readonly table: QueryTable; readonly zone: string },
): Draft {
  const { field, not } = condition;
  const sign = not ? "!" : "";
  if (isDateCondition(condition)) {
    const { first = "", last = "" } = calendarDays(condition, zone) ?? {};
    return {
      ...newDraft(field, table),
      operator: sign + DURING,
      range: condition.range ?? "",
      ...(condition.range ? {} : { from: first, through: last }),
      replaces,
    };
  }
  return {
    ...newDraft(field, table),
    operator: sign + (condition.operator ?? "EQUALS"),
    value: (condition.value ?? []).map((text) => quoteValue(shownValue(text, field, table)))
      .join(", "),
    replaces,
  };
}

function shownValue(text: string, field: string, table: QueryTable): string {
  const { kind, choices = {} } = fieldOf(table, field) ?? {};
  if (kind === "seconds" || kind === "bytes") return writeUnits(text, kind);
  return Object.keys(choices).find((word) => choices[word] === text) ?? text;
}

export function draftOfForm(params: URLSearchParams): Draft {
  const text = (name: string) => params.get(name)?.trim() ?? "";
  return {
    field: text(INPUTS.field),
    operator: text(INPUTS.operator) || "EQUALS",
    chosen: params.getAll(INPUTS.chosen),
    value: params.get(INPUTS.value) ?? "",
    range: text(INPUTS.range),
    from: text(INPUTS.from),
    through: text(INPUTS.through),
    replaces: text(INPUTS.replaces),
  };
}

/** The operators that fit a field; the service accepts each of them. */
export function operatorsFor(field: string, table: QueryTable): readonly string[] {
  const { kind, isRequired } = fieldOf(table, field) ?? { kind: "string" as const };
  const fitting = KIND_OPERATORS[kind];
  return [
    ...(kind === "date-time" ? [DURING] : []),
    // A part of an id is no use to anybody, and takes long to find.
    ...(isRequired ? fitting.filter((operator) => operator !== "LIKE") : fitting),
    ...(isRequired || kind === "words" ? [] : ["IS_NULL"]),
  ];
}

/** The conditions of a draft, read as a query; issues of half a condition, which would find too much. */
export function readDraft(draft: Draft, before: Draft, table: QueryTable, options: ParseOptions): {
  readonly conditions: readonly Condition[];
  readonly issues: readonly ParameterIssue[];
} {
  const parameter = columnLabel(table, draft.field || "field");
  const query = queryOf(draft, before, table);
  if (query.endsWith(":..")) {
    return { conditions: [], issues: [{ parameter, detail: "choose a range or type a day" }] };
  }
  const { body, issues } = parseQuery(query, table, options);
  return {
    conditions: conditionsOf(body),
    issues: issues.map(({ detail }) => ({ parameter, detail })),
  };
}

function queryOf(draft: Draft, before: Draft, table: QueryTable): string {
  const { field } = draft;
  const sign = draft.operator.startsWith("!") ? "-" : "";
  const operator = draft.operator.replace("!", "");
  const values = [...new Set([...draft.chosen, ...splitValues(draft.value)])];
  const written = values.map((text) => /^[\w.@-]+$/.test(text) ? text : quotePart(text)).join();
  const known = fieldOf(table, field);
  if (known && operator === "IS_NULL") return `${sign}no:${known.name}`;
  const prefix = known?.kind === "words" ? "" : PREFIXES[operator];
  if (known && operator === DURING) return `${sign}${known.name}:${datesOf(draft, before)}`;
  if (known && prefix !== undefined) return `${sign}${known.name}:${prefix}${written}`;
  return sign +
    formatSearchQuery({ filters: [{ field, operator, value: values }] }, undefined, table);
}

const PREFIXES: Readonly<Record<string, string>> = { ...COMPARISON_SIGNS, EQUALS: "", LIKE: "~" };

function datesOf({ range, from, through }: Draft, before: Draft): string {
  // Days that were typed are more exact, but not those that were there before.
  const areTyped = from !== before.from || through !== before.through;
  if (isDateRange(range) && (!areTyped || (!from && !through))) return range;
  return `${from}..${through}`;
}

/** The draft with the offered values as choices, and only the others as text. */
export function withChosen(draft: Draft, offered: readonly string[]): Draft {
  const values = splitValues(draft.value);
  const found = values.filter((value) => offered.includes(value));
  if (found.length === 0) return draft;
  const others = values.filter((value) => !found.includes(value));
  return {
    ...draft,
    chosen: [...draft.chosen, ...found],
    value: others.map(quoteValue).join(", "),
  };
}

/** A value as one of a comma-separated list. */
export function quoteValue(value: string): string {
  return value === "" || /^\s|\s$|[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/**
 * Splits a comma-separated list. A value with a comma goes into double quotes, in which a quote is
 * doubled.
 */
export function splitValues(list: string): string[] {
  const values = list.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g);
  return [...values]
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain.trim())
    .filter((value) => value !== "");
}
