/** Filters and sorts loaded runs by the same kinds of conditions as file sets. */
import { type FilterValue, rowTest, sortRows } from "../search/match_rows.ts";
import type { ReportRun, SearchBody } from "../types.ts";
import { domainOf } from "./recipients.ts";
import { runFieldKind, runSearchIssues } from "./run_search.ts";
import { durationOf, timeOf } from "./times.ts";

/** Makes a test for runs that match all conditions; throws a RangeError if a search is not valid. */
export function runFilter(body: SearchBody): (run: ReportRun) => boolean {
  const [issue] = runSearchIssues(body);
  if (issue) throw new RangeError(issue);
  const filters = body.filters?.map((filter) =>
    filter.field === "recipientDomain"
      ? { ...filter, value: filter.value?.map((domain) => domain.toLowerCase()) ?? [] }
      : filter
  );
  return rowTest({ ...body, ...filters && { filters } }, readValues, runFieldKind);
}

function readValues(run: ReportRun, field: string): readonly FilterValue[] {
  switch (field) {
    case "startTime":
    case "endTime":
      return [timeOf(run[field]) ?? []].flat();
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
  return sortRows(runs.filter(runFilter(body)), body.fieldSort ?? [], readValues);
}
