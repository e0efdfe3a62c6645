/** Builds a search body step by step. */
import { check } from "../check.ts";
import type { DateFilter, FieldSort, Filter, SearchBody } from "../types.ts";

/**
 * An immutable search body whose methods return a new one, so searches can share a beginning. It is
 * a {@linkcode SearchBody} itself; a plain object works as well.
 */
export class Search implements SearchBody {
  /** Sort keys, most significant first; missing when there are none. */
  declare readonly fieldSort?: readonly FieldSort[];
  /** Conditions on values; missing when there are none. */
  declare readonly filters?: readonly Filter[];
  /** Conditions on dates; missing when there are none. */
  declare readonly dateFilters?: readonly DateFilter[];

  /** Copies a body; called by {@linkcode search}. */
  constructor(body: SearchBody = {}) {
    // Empty members are left out, so that the empty search is sent as `{}`.
    if (body.fieldSort?.length) this.fieldSort = [...body.fieldSort];
    if (body.filters?.length) this.filters = [...body.filters];
    if (body.dateFilters?.length) this.dateFilters = [...body.dateFilters];
    Object.freeze(this);
  }

  /**
   * Adds a condition on a field's value.
   *
   * @param operator How to compare; the interface documents `EQUALS`.
   */
  where(
    field: Filter["field"],
    operator: NonNullable<Filter["operator"]>,
    ...values: readonly (string | number)[]
  ): Search {
    return this.#with("filters", { field, operator, value: values.map(String) });
  }

  /** Adds a negated condition on a field's value, as {@linkcode Search.where} does. */
  whereNot(
    field: Filter["field"],
    operator: NonNullable<Filter["operator"]>,
    ...values: readonly (string | number)[]
  ): Search {
    return this.#with("filters", { field, operator, value: values.map(String), not: true });
  }

  /**
   * Adds a condition on a date.
   *
   * @param range First moment that matches, and end of the range: ISO 8601 date-times, or a `Date`,
   * which is written in UTC.
   * @throws {ConfigurationError} If a `Date` of the range is not valid.
   */
  during(
    field: DateFilter["field"],
    range: { readonly start?: string | Date; readonly end?: string | Date },
  ): Search {
    return this.#with("dateFilters", { field, ...toIsoTexts(range) });
  }

  /** Adds a negated condition on a date, as {@linkcode Search.during} does. */
  notDuring(
    field: DateFilter["field"],
    range: { readonly start?: string | Date; readonly end?: string | Date },
  ): Search {
    return this.#with("dateFilters", { field, ...toIsoTexts(range), not: true });
  }

  /**
   * Adds a sort key, less significant than those before.
   *
   * @param order Order; the interface documents `ASC`, which is the default.
   */
  sortBy(field: FieldSort["field"], order: NonNullable<FieldSort["order"]> = "ASC"): Search {
    return this.#with("fieldSort", { field, order });
  }

  #with(member: keyof SearchBody, part: FieldSort | Filter | DateFilter): Search {
    return new Search({ ...this, [member]: [...this[member] ?? [], part] });
  }
}

function toIsoTexts(
  { start, end }: Parameters<Search["during"]>[1],
): Pick<DateFilter, "start" | "end"> {
  return {
    ...(start === undefined ? {} : { start: toIsoText("start", start) }),
    ...(end === undefined ? {} : { end: toIsoText("end", end) }),
  };
}

function toIsoText(name: string, moment: string | Date): string {
  if (!(moment instanceof Date)) return moment;
  check(!Number.isNaN(moment.getTime()), name, "a valid date");
  return moment.toISOString();
}

/**
 * Starts a search.
 *
 * @param body The search to start with; the empty one matches every file set.
 * @returns The search, to which conditions and sort keys can be added.
 *
 * @example
 * ```ts
 * import { search } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const mine = search().where("owner", "EQUALS", "ann", "bob");
 * const latest = mine.whereNot("permission", "EQUALS", "READ").sortBy("updated");
 * assertEquals({ ...latest }, {
 *   fieldSort: [{ field: "updated", order: "ASC" }],
 *   filters: [
 *     { field: "owner", operator: "EQUALS", value: ["ann", "bob"] },
 *     { field: "permission", operator: "EQUALS", value: ["READ"], not: true },
 *   ],
 * });
 * ```
 */
export function search(body?: SearchBody): Search {
  return new Search(body);
}
