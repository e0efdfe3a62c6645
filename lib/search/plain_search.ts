import type { FilterValue } from "./compare_values.ts";
import type { SearchBody, SearchInput } from "../types.ts";

/** A search without nulls, and with its values as texts. Invalid parts may be undefined. */
export function plainSearch({ fieldSort, filters, dateFilters }: SearchInput): SearchBody {
  return withoutNulls({
    fieldSort: fieldSort?.map(withoutNulls),
    filters: filters?.map((filter) =>
      filter && withoutNulls({ ...filter, value: filter.value?.map((value) => toText(value)) })
    ),
    dateFilters: dateFilters?.map(withoutNulls),
  });
}

function toText(value: FilterValue | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

// deno-lint-ignore no-explicit-any -- the type of each part without nulls
function withoutNulls(part: object): any {
  return part && Object.fromEntries(
    Object.entries(part).filter(([, value]) => value !== null && value !== undefined),
  );
}
