/** What an editor of a condition holds before it is applied. */
import { FILE_SET_FIELDS } from "../../../lib/fields.ts";
import { calendarDays } from "../../../lib/search/date_ranges.ts";
import type { FileSetField, KnownOperator } from "../../../lib/types.ts";
import { type Condition, isDateCondition } from "./conditions.ts";

/** The names of an editor's inputs. The form's other fields are the present view. */
export const INPUTS = {
  /** Marks a form, whose answer is a link without empty parameters. */
  form: "new-form",
  field: "new-field",
  replaces: "new-replaces",
  operator: "new-operator",
  /** Repeated: values that were chosen. */
  chosen: "new-chosen",
  /** Values that were typed. */
  value: "new-value",
  range: "new-range",
  from: "new-from",
  through: "new-through",
  /** What happens after a condition is applied. */
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
  /** The name of a range of dates; empty for exact days. */
  readonly range: string;
  readonly from: string;
  readonly through: string;
  readonly replaces: string;
}

export function newDraft(field: string): Draft {
  return {
    field,
    operator: operatorsFor(field)[0],
    chosen: [],
    value: "",
    range: "",
    from: "",
    through: "",
    replaces: "",
  };
}

export function draftOf(condition: Condition, replaces: string, zone: string): Draft {
  const { field, not } = condition;
  const sign = not ? "!" : "";
  if (isDateCondition(condition)) {
    const { first = "", last = "" } = calendarDays(condition, zone) ?? {};
    return {
      ...newDraft(field),
      operator: sign + DURING,
      range: condition.range ?? "",
      ...(condition.range ? {} : { from: first, through: last }),
      replaces,
    };
  }
  return {
    ...newDraft(field),
    operator: sign + (condition.operator ?? "EQUALS"),
    value: (condition.value ?? []).map(quoteValue).join(", "),
    replaces,
  };
}

/** The draft that a form sent. */
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
export function operatorsFor(field: string): readonly (KnownOperator | typeof DURING)[] {
  const known = Object.hasOwn(FILE_SET_FIELDS, field)
    ? FILE_SET_FIELDS[field as FileSetField]
    : { kind: "string", mayBeMissing: true };
  const missing = known.mayBeMissing ? ["IS_NULL" as const] : [];
  switch (known.kind) {
    case "date-time":
      return [DURING, ...missing];
    case "integer":
      return [
        "EQUALS",
        "GREATER_THAN_OR_EQUAL",
        "LESS_THAN_OR_EQUAL",
        "GREATER_THAN",
        "LESS_THAN",
        ...missing,
      ];
    default:
      return field === "id" ? ["EQUALS"] : ["EQUALS", "LIKE", ...missing];
  }
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
