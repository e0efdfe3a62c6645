/**
 * A search that is fit to be answered: no name or text of the caller is left in it but as a value.
 */
import type { StoredField } from "../fields.ts";

/** A value as it is compared in the database. */
export type Value = string | number;

export type Comparison = "=" | ">" | ">=" | "<" | "<=" | "contains" | "missing";

/**
 * One condition: any of the values, of which > and < have one; negated, also rows without a value.
 * Without values to contain, none holds.
 */
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

/** Names what a search finds at a version of the data, in its order and whatever the page. */
export function searchName({ conditions, dateRanges, sort }: SearchPlan, version: string): string {
  return `${version} ${JSON.stringify([conditions, dateRanges, sort])}`;
}

/** The ids that the file sets are among, where a condition names them: each is looked up. */
export function idsOf(
  { conditions }: Pick<SearchPlan, "conditions">,
): readonly Value[] | undefined {
  return conditions.find(({ field, comparison, not }) =>
    field.name === "id" && comparison === "=" && !not
  )?.values;
}
