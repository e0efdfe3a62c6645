/** A validated search. The caller's texts appear in it as values only, never as SQL. */
import type { StoredField } from "../fields.ts";

export type Value = string | number;

export type Comparison = "=" | ">" | ">=" | "<" | "<=" | "contains" | "missing";

/** A row meets a condition with any of its values. A negated one also matches rows without a value. */
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

/** The ids that a search is limited to, if it is. */
export function idsOf(
  { conditions }: Pick<SearchPlan, "conditions">,
): readonly Value[] | undefined {
  return conditions.find(({ field, comparison, not }) =>
    field.name === "id" && comparison === "=" && !not
  )?.values;
}
