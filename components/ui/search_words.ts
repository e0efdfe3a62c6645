/** Conditions and orders in words, the same for file sets and runs. */
import { calendarDays } from "../../lib/search/date_ranges.ts";
import type { DateFilter, KnownOperator, KnownOrder } from "../../lib/types.ts";
import { formatMoment } from "./zone.ts";

/** An operator in a sentence, as it is and negated. */
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

export const ORDER_LABELS: Readonly<Record<KnownOrder, string>> = {
  ASC: "ascending",
  DESC: "descending",
};

/** The times of a condition in a zone; whole days without their hours, the last one included. */
export function formatTimes({ start, end }: DateFilter, zone: string): string {
  const days = calendarDays({ start, end }, zone);
  if (!days) {
    return [
      start && `from ${formatMoment(start, zone)}`,
      end && `before ${formatMoment(end, zone)}`,
    ].filter(Boolean).join(" and ");
  }
  const { first, last } = days;
  if (first === last) return first ? `on ${first}` : "at any time";
  return [first && `from ${first}`, last && `${first ? "to" : "until"} ${last}`]
    .filter(Boolean).join(" ");
}

/** The texts of an operator. `DURING` stands for a range of dates. */
export function operatorLabels(operator: string): OperatorLabels {
  if (operator === "DURING") return ["is in", "is not in"];
  return lookUp(OPERATOR_LABELS, operator) ?? [operator, `not ${operator}`];
}

/** The entry of an own property, since names may come from a URL. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
