/** A validated search: names and texts of the caller appear in it as values only. */
import type { StoredField } from "../fields.ts";

export type Value = string | number;

export type Comparison = "=" | ">" | ">=" | "<" | "<=" | "contains" | "missing";

/** A condition on a column. It holds for any of its values; negated, also for rows without a value. */
export interface ColumnCondition {
  readonly field: StoredField;
  readonly comparison: Comparison;
  readonly values: readonly Value[];
  readonly not: boolean;
}

/** A range of dates: start included, end excluded, either may be missing. */
export interface ColumnRange {
  readonly field: StoredField;
  readonly start?: number;
  readonly end?: number;
  readonly not: boolean;
}

export interface SortKey {
  readonly field: StoredField;
  readonly descending: boolean;
}

export interface SearchPlan {
  readonly conditions: readonly ColumnCondition[];
  readonly dateRanges: readonly ColumnRange[];
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly offset: number;
}

/** The ids of a condition that names them; each of them is looked up. */
export function idsOf(
  { conditions }: Pick<SearchPlan, "conditions">,
): readonly Value[] | undefined {
  return conditions.find(({ field, comparison, not }) =>
    field.name === "id" && comparison === "=" && !not
  )?.values;
}
