import { quotePart, splitParts } from "../../lib/search/query_parts.ts";
import {
  fieldNamed,
  KIND_OPERATORS,
  OPERATOR_SIGNS,
  type QueryTable,
} from "../../lib/search/query_table.ts";
import { parseQuery, type QueryOptions } from "../../lib/search/search_query.ts";
import type { SearchBody } from "../../lib/types.ts";
import { columnLabel, operatorLabels } from "./search_words.ts";

/** Names of form inputs that never appear in the link of a search. */
export const INPUTS = {
  /** Marks a submitted form, which is redirected to its link. */
  form: "new-form",
  field: "new-field",
  operator: "new-operator",
  value: "new-value",
  column: "new-column",
} as const;

export interface NewCondition {
  readonly field: string;
  /** The operator, with `!` in front if it is negated. */
  readonly operator: string;
  /** Values separated by commas, or a range of dates. */
  readonly value: string;
  readonly issue?: string;
}

export function readNewCondition(params: URLSearchParams): NewCondition {
  const text = (name: string) => params.get(name)?.trim() ?? "";
  return {
    field: text(INPUTS.field),
    operator: text(INPUTS.operator) || "EQUALS",
    value: text(INPUTS.value),
  };
}

/** Reads the condition as in a query, or returns a sentence that says what is wrong. */
export function parseCondition(
  { field, operator: chosen, value }: NewCondition,
  table: QueryTable,
  options: QueryOptions,
): SearchBody | string {
  const known = fieldNamed(table, field);
  if (!known) return "Choose a field";
  const operator = chosen.replace("!", "");
  const { kind, isRequired } = known;
  const operators: readonly string[] = kind === "date-time" ? ["EQUALS"] : KIND_OPERATORS[kind];
  const fitting = isRequired || kind === "words" ? operators : [...operators, "IS_NULL"];
  if (!fitting.includes(operator)) {
    const words = fitting.map((each) => operatorLabels(each)[0]).join(", ");
    return `${columnLabel(table, field)} takes one of: ${words}`;
  }
  const values = splitParts(value, /,/).map(({ text }) => text.trim())
    .map((text) => /^[\w.@-]+$/.test(text) ? text : quotePart(text));
  const query = operator === "IS_NULL"
    ? `no:${known.name}`
    : `${known.name}:${OPERATOR_SIGNS[operator] ?? ""}${value && values}`;
  const { body, issues } = parseQuery(chosen.startsWith("!") ? `-${query}` : query, table, options);
  return issues[0]?.detail ?? body;
}
