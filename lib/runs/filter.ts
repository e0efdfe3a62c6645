/** Filters and sorts loaded runs by the same kinds of conditions as file sets. */
import { compareValues, type FilterValue, valueTest } from "../search/compare_values.ts";
import { rangeTest } from "../search/date_ranges.ts";
import type { DateFilter, Filter, ReportRun, SearchBody } from "../types.ts";
import { domainOf } from "./recipients.ts";
import { kindOf, runSearchIssues } from "./run_search.ts";
import { durationOf, timeOf } from "./times.ts";

/** Makes a test for runs that match all conditions; throws a RangeError if a search is not valid. */
export function runFilter(body: SearchBody): (run: ReportRun) => boolean {
  const [issue] = runSearchIssues(body);
  if (issue) throw new RangeError(issue.detail);
  const { filters = [], dateFilters = [] } = body;
  const conditions = [
    ...filters.map((filter) => negated(filter, conditionOf(filter))),
    ...dateFilters.map((filter) => negated(filter, dateConditionOf(filter))),
  ];
  return (run) => conditions.every((holds) => holds(run));
}

type Condition = (run: ReportRun) => boolean;

function negated({ not }: { readonly not?: boolean }, condition: Condition): Condition {
  return not ? (run) => !condition(run) : condition;
}

function conditionOf({ field, operator = "EQUALS", value = [] }: Filter): Condition {
  if (operator === "IS_NULL") return (run) => valuesOf(run, field).length === 0;
  const isDomain = field === "recipientDomain" && operator !== "LIKE";
  const isMatch = valueTest(operator, isDomain ? value.map((text) => text.toLowerCase()) : value);
  return (run) => valuesOf(run, field).some(isMatch);
}

function dateConditionOf({ field, ...range }: DateFilter): Condition {
  const isInRange = rangeTest(range);
  return (run) => isInRange(timeOf(run[field as "startTime" | "endTime"]) ?? NaN);
}

function valuesOf(run: ReportRun, field: string): readonly FilterValue[] {
  switch (field) {
    case "duration": {
      const ms = durationOf(run);
      return ms === undefined ? [] : [ms / 1000];
    }
    case "recipient":
      return (run.recipients ?? []).flatMap(({ userId }) => userId ?? []);
    case "recipientDomain":
      return (run.recipients ?? []).flatMap(({ emailAddress }) => domainOf(emailAddress) ?? []);
    case "text":
      return [run.reportTitle, run.reportSubject, run.resourceName, run.status]
        .flatMap((text) => text ? [text] : []);
    default: {
      const value = run[field as keyof ReportRun] as FilterValue | null | undefined;
      return value === undefined || value === null || value === "" ? [] : [value];
    }
  }
}

/**
 * The runs that match a search, in its order. Besides the fields of a run, a search may use
 * `duration` in seconds, `recipient` (a user id), `recipientDomain` and `text`.
 *
 * @example
 * ```ts
 * import { searchRuns } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const runs = [{ id: 1, status: "success" }, { id: 2, status: "failure" }];
 * assertEquals(searchRuns(runs, { filters: [{ field: "status", value: ["failure"] }] }), [runs[1]]);
 * ```
 *
 * @param runs The runs, in any order.
 * @param body The search. Runs that its sort keys don't order stay in their order. In ascending
 * order, runs without a value come first.
 * @returns The runs that match.
 * @throws {RangeError} If a condition or a sort key is not valid; the message says why.
 */
export function searchRuns<Run extends ReportRun>(
  runs: readonly Run[],
  body: SearchBody,
): readonly Run[] {
  const found = runs.filter(runFilter(body));
  const { fieldSort = [] } = body;
  if (fieldSort.length === 0) return found;
  const keyed = found.map((run) => ({
    run,
    keys: fieldSort.map(({ field }) => sortKey(run, field)),
  }));
  const signs = fieldSort.map(({ order }) => order === "DESC" ? -1 : 1);
  keyed.sort((a, b) => {
    for (let at = 0; at < signs.length; at++) {
      const order = compareValues(a.keys[at], b.keys[at]);
      if (order !== 0) return order * signs[at];
    }
    return 0;
  });
  return keyed.map(({ run }) => run);
}

function sortKey(run: ReportRun, field: string): FilterValue | undefined {
  return kindOf(field) === "date-time"
    ? timeOf(run[field as "startTime"])
    : valuesOf(run, field)[0];
}
