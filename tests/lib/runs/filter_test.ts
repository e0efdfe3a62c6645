import { assertEquals, assertThrows } from "@std/assert";
import type { ReportRun } from "../../../lib/mod.ts";
import { RUN_FIELDS } from "../../../lib/fields.ts";
import { RUN_QUERY, runSearchIssues } from "../../../lib/runs/run_search.ts";
import { runFilter, searchRuns } from "../../../lib/runs/filter.ts";
import { parseQuery } from "../../../lib/search/search_query.ts";

const long: ReportRun = {
  id: 1,
  startTime: "2026-01-01T06:00:00Z",
  endTime: "2026-01-01T07:00:00Z",
  status: "success",
  automated: true,
  reportTitle: "Open claims",
  attachmentCount: 2,
  attachmentSize: 3000,
  recipients: [
    { userId: 7, emailAddress: "ann@Example.com" },
    { userId: 8, emailAddress: "ben@example.org" },
  ],
};
const open: ReportRun = {
  id: 2,
  startTime: "2026-01-02T06:00:00Z",
  status: "failure",
  automated: false,
  attachmentCount: 0,
  recipients: [{ userId: 8 }],
};
const bare: ReportRun = { id: 3, status: "" };
const runs = [long, open, bare];

Deno.test("runFilter: keeps the runs that meet the conditions of a query", () => {
  const cases: Record<string, number[]> = {
    // Texts in the same case, numbers, switches and lists.
    "status:failure": [2],
    "status:failure,success": [1, 2],
    "status:Failure": [],
    "attachments:0,5": [2],
    "trigger:automated": [1],
    "trigger:manual": [2],
    "took:3600s": [1],
    "recipient:8": [1, 2],
    "recipient:7": [1],
    // Domains in any case.
    "recipient:@EXAMPLE.com": [1],
    "recipientDomain:EXAMPLE.com": [1],
    "startTime:GREATER_THAN:2026-01-01T07:00:00Z": [2],
    "recipientDomain:LIKE:.org": [1],
    "no:recipientDomain": [2, 3],
    // A missing value meets no comparison.
    "took:>3599s": [1],
    "took:>1h": [],
    "took:>=1h": [1],
    "took:<1h": [],
    "took:<=1h": [1],
    "took:<=3599s": [],
    "attachments:>0": [1],
    "attachments:<1": [2],
    // A part of title, subject, resource or status, in any case.
    "CLAIMS": [1],
    "fail": [2],
    "reportTitle:LIKE:fail": [],
    // All conditions have to hold.
    "attachments:>=0 recipient:8 status:success": [1],
    // Missing, null or an empty text.
    "no:status": [3],
    "no:endTime": [2, 3],
    "no:took": [2, 3],
    "no:recipient": [3],
    // From the start, before the end; either may be missing.
    "started:2026-01-02T06:00:00Z..": [2],
    "started:2026-01-02T07:00:00+01:00..": [2],
    "started:..2026-01-02T06:00:00Z": [1],
    "-started:..2026-01-02T06:00:00Z": [2, 3],
    "started:2026-01": [1, 2],
  };
  for (const [query, ids] of Object.entries(cases)) {
    const { body, issues } = parseQuery(query, RUN_QUERY, {});
    assertEquals([issues, runs.filter(runFilter(body)).map(({ id }) => id)], [[], ids], query);
  }
});

Deno.test("searchRuns: sorted by keys, equal ones as they were", () => {
  const sorted = (field: string, order: string) =>
    searchRuns(runs, { fieldSort: [{ field, order }] }).map(({ id }) => id);
  assertEquals([sorted("duration", "ASC"), sorted("duration", "DESC")], [[2, 3, 1], [1, 2, 3]]);
  assertEquals([sorted("startTime", "DESC"), sorted("status", "ASC")], [[2, 1, 3], [3, 2, 1]]);
});

Deno.test("runSearchIssues: names what can't be used, where runFilter and searchRuns throw", () => {
  const filters: readonly [condition: string, issue: string | undefined][] = [
    ["duration LIKE 3", "duration does not take LIKE"],
    [
      "startTime EQUALS x",
      "startTime: x must be a date-time with a zone, like 2026-01-31T08:00:00Z",
    ],
    ["colour EQUALS x", "no field is called colour; use startTime, "],
    ["status EQUALS", "status EQUALS needs a value"],
    ["automated EQUALS yes", "automated must be true or false, not yes"],
    ["cardCount EQUALS 1.5", "cardCount must be a whole number, not 1.5"],
    ["duration LESS_THAN x", "duration must be a number of seconds, not x"],
    ["duration LESS_THAN 1.5", undefined],
    // Addresses don't belong in links.
    ["recipientDomain EQUALS ann@example.com", "recipientDomain must be a domain, such as exam"],
  ];
  for (const [condition, expected] of filters) {
    const [field, operator, ...value] = condition.split(" ");
    const [issue] = runSearchIssues({ filters: [{ field, operator, value }] });
    assertEquals(issue?.slice(0, expected?.length), expected);
  }
  assertThrows(() => runFilter({ filters: [{ field: "x" }] }), RangeError, "no field is called x");
  const sort = () => searchRuns([], { fieldSort: [{ field: "text" }] });
  assertThrows(sort, RangeError, "sorted by text");
  const [noDate] = runSearchIssues({ dateFilters: [{ field: "status", end: "2026-01-31" }] });
  assertEquals(noDate, "status holds no date; use startTime or endTime");
});

Deno.test("RUN_QUERY: every field of a run, of its kind", () => {
  for (const [name, { kind }] of Object.entries(RUN_FIELDS)) {
    const known = RUN_QUERY.fields[name].kind;
    assertEquals([name, known.replace(/count|bytes/, "integer")], [name, kind]);
  }
});
