/** A search in words: what its conditions and sort keys say. */
import type { DateFilter, FieldSort, Filter } from "../../lib/types.ts";
import { formatMoment } from "../ui/zone.ts";

/** An operator in words. */
export interface OperatorWords {
  /** In a sentence, asserted. */
  readonly is: string;
  /** In a sentence, negated. */
  readonly isNot: string;
  /** In the form, where `is` or `is not` stands before it. */
  readonly afterIs: string;
}

/** The known operators, the documented one first. */
export const OPERATORS: Readonly<Record<string, OperatorWords>> = {
  EQUALS: { is: "is", isNot: "is not", afterIs: "equal to" },
  LIKE: { is: "contains", isNot: "does not contain", afterIs: "containing" },
  IN: { is: "is one of", isNot: "is none of", afterIs: "one of" },
  IS_NULL: { is: "has no value", isNot: "has a value", afterIs: "without a value" },
  GREATER_THAN: { is: "is over", isNot: "is not over", afterIs: "over" },
  GREATER_THAN_OR_EQUAL: { is: "is at least", isNot: "is not at least", afterIs: "at least" },
  LESS_THAN: { is: "is under", isNot: "is not under", afterIs: "under" },
  LESS_THAN_OR_EQUAL: { is: "is at most", isNot: "is not at most", afterIs: "at most" },
};

/** The known orders, the documented one first. */
export const ORDERS: Readonly<Record<string, string>> = { ASC: "ascending", DESC: "descending" };

/** The one operator and the one order that the interface documents. */
export const DOCUMENTED = { operator: "EQUALS", order: "ASC" } as const;

/** The fields of a file set, in the order that people read them. */
export const FIELDS = [
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
] as const;

const FIELD_WORDS: Readonly<Record<string, string>> = {
  fileCount: "files",
  createdBy: "created by",
  updatedBy: "updated by",
};

/** A field in words; one that is not known keeps its name. */
export function fieldWords(field: string): string {
  return FIELD_WORDS[field] ?? field;
}

/** The field that somebody means by its name or its words, in any case; else what was typed. */
export function fieldMeant(typed: string): string {
  const wanted = typed.toLowerCase();
  const isMeant = (field: string) =>
    field.toLowerCase() === wanted || fieldWords(field).toLowerCase() === wanted;
  return FIELDS.find(isMeant) ?? typed;
}

/** A condition as a sentence, such as `owner is not 27`. */
export function filterWords({ field, operator, value, not }: Filter): string {
  const name = operator ?? DOCUMENTED.operator;
  const words = OPERATORS[name] ?? { is: name, isNot: `not ${name}` };
  const values = (value ?? []).map((text) => text === "" ? "“”" : text).join(" or ");
  return [fieldWords(field), not ? words.isNot : words.is, values].filter(Boolean).join(" ");
}

/** A condition on a date as a sentence, such as `created from 2026-11-01 00:00 to before …`. */
export function dateFilterWords({ field, start, end, not }: DateFilter): string {
  const range = [
    start && `from ${formatMoment(start, "UTC")}`,
    end && `before ${formatMoment(end, "UTC")}`,
  ].filter(Boolean).join(" and ");
  return `${fieldWords(field)} ${not ? "is not " : ""}${range ? `${range} UTC` : "at any time"}`;
}

/** An order of file sets as a reader says it, such as `newest first`. */
export function orderWords(sort: readonly FieldSort[]): string {
  return sort.map(({ field, order }) => {
    const isDate = field === "created" || field === "updated";
    if (isDate && order === "DESC") return `newest ${field} first`;
    if (isDate && (order ?? "ASC") === "ASC") return `oldest ${field} first`;
    return `by ${sortWords({ field, order })}`;
  }).join(", then ");
}

/** A sort key in words, such as `updated, descending`. */
export function sortWords({ field, order }: FieldSort): string {
  const name = order ?? DOCUMENTED.order;
  return `${fieldWords(field)}, ${ORDERS[name] ?? name}`;
}
