import { joinSearches } from "../../lib/search/search_query.ts";
import { formatSearchQuery } from "../../lib/search/search_query_format.ts";
import type { DateFilter, Filter, SearchBody } from "../../lib/types.ts";
import { type ShownSearch, withBody } from "./page_view.ts";

export type Condition = Filter | DateFilter;

export function isDateCondition(condition: Condition): condition is DateFilter {
  return !("operator" in condition) && !("value" in condition);
}

export function listConditions({ filters = [], dateFilters = [] }: SearchBody): Condition[] {
  return [...filters, ...dateFilters];
}

function toBody(conditions: readonly Condition[]): SearchBody {
  const filters = conditions.filter((condition) => !isDateCondition(condition));
  return joinSearches({ filters, dateFilters: conditions.filter(isDateCondition) });
}

function withConditions(view: ShownSearch, conditions: readonly Condition[]): ShownSearch {
  const { fieldSort } = view.body;
  return withBody(view, { ...(fieldSort ? { fieldSort } : {}), ...toBody(conditions) });
}

export function without(view: ShownSearch, unwanted: Condition): ShownSearch {
  return withConditions(view, listConditions(view.body).filter((each) => each !== unwanted));
}

function negated<C extends Condition>(condition: C): C {
  const { not, ...rest } = condition;
  return (not ? rest : { ...rest, not: true }) as C;
}

export type Use = "included" | "excluded" | null;

export function findUse({ body }: ShownSearch, wanted: Condition): Use {
  const found = listConditions(body).find((condition) => covers(condition, wanted));
  return found ? found.not ? "excluded" : "included" : null;
}

/** Adds a condition to the view, or removes it if it is there. */
export function toggled(view: ShownSearch, wanted: Condition, use: Use): ShownSearch {
  const isUndone = findUse(view, wanted) === use;
  const others = listConditions(view.body).flatMap((condition) => {
    if (!covers(condition, wanted)) return [condition];
    if (isDateCondition(condition)) return [];
    const value = condition.value?.filter((text) => text !== sharedValue(wanted)) ?? [];
    return value.length > 0 ? [{ ...condition, value }] : [];
  });
  if (isUndone || use === null) return withConditions(view, others);
  if (use === "excluded") {
    return withConditions(view, widened(others, negated(wanted)) ?? [...others, negated(wanted)]);
  }
  const wider = widened(others, wanted);
  if (wider) return withConditions(view, wider);
  const isRival = (condition: Condition) =>
    condition.field === wanted.field && !condition.not &&
    isDateCondition(condition) === isDateCondition(wanted) && sharedValue(wanted) === undefined;
  return withConditions(view, [...others.filter((condition) => !isRival(condition)), wanted]);
}

function widened(conditions: readonly Condition[], wanted: Condition): Condition[] | null {
  const value = sharedValue(wanted);
  const at = conditions.findIndex((condition) =>
    condition.field === wanted.field && Boolean(condition.not) === Boolean(wanted.not) &&
    isByValue(condition)
  );
  if (at < 0 || value === undefined) return null;
  const present = conditions[at] as Filter;
  return conditions.with(at, { ...present, value: [...present.value ?? [], value] });
}

/** Whether a condition includes another, whether either is negated or not. */
function covers(condition: Condition, wanted: Condition): boolean {
  const value = sharedValue(wanted);
  if (value !== undefined) {
    return condition.field === wanted.field && isByValue(condition) &&
      (condition as Filter).value!.includes(value);
  }
  const plain = (each: Condition) => formatSearchQuery(toBody([{ ...each, not: undefined }]));
  return plain(condition) === plain(wanted);
}

/** The first value of a condition, if its field allows several values. */
function sharedValue(condition: Condition): string | undefined {
  return isByValue(condition) && condition.field !== "fileCount"
    ? (condition as Filter).value?.[0]
    : undefined;
}

function isByValue(condition: Condition): boolean {
  return !isDateCondition(condition) && /^(EQUALS|IN)$/.test(condition.operator ?? "EQUALS") &&
    Boolean(condition.value?.length);
}
