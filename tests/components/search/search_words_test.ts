import { assertEquals } from "@std/assert";
import { RUNS } from "../../../components/runs/search/run_view.ts";
import {
  formatCondition,
  formatSortKey,
  isNumber,
} from "../../../components/search/search_words.ts";
import { FILE_SET_QUERY } from "../../../lib/search/query_table.ts";
import { parseSearchQuery } from "../../../lib/search/search_query.ts";

const FILE_SETS = { table: FILE_SET_QUERY, zone: "UTC" };
const names = new Map([[2008, "Hiro Fischer"]]);

Deno.test("isNumber: counts, not names", () =>
  assertEquals(["fileCount", "name"].map((field) => isNumber(FILE_SET_QUERY, field)), [
    true,
    false,
  ]));

Deno.test("formatCondition: writes every operator in words, plain and negated", () => {
  const pairs = {
    EQUALS: ["is", "is not"],
    LIKE: ["contains", "does not contain"],
    IN: ["is one of", "is none of"],
    GREATER_THAN: ["is over", "is not over"],
    GREATER_THAN_OR_EQUAL: ["is at least", "is not at least"],
    LESS_THAN: ["is under", "is not under"],
    LESS_THAN_OR_EQUAL: ["is at most", "is not at most"],
    ODD: ["ODD", "not ODD"],
    toString: ["toString", "not toString"],
  };
  for (const [operator, words] of Object.entries(pairs)) {
    const condition = { field: "owner", operator, value: ["a", ""] };
    const written = [false, true].map((not) => formatCondition({ ...condition, not }, FILE_SETS));
    assertEquals(written, words.map((is) => `owner ${is} a or “”`));
  }
});

Deno.test("formatCondition: values by the kind of their field, with units and names", () => {
  const runs = { table: RUNS.table, zone: "UTC", names };
  const cases = [
    [FILE_SETS, { field: "fileCount", value: ["5000"] }, "files is 5,000"],
    [FILE_SETS, { field: "fileCount", value: ["9007199254740993"] }, "files is 9007199254740993"],
    [FILE_SETS, { field: "createdBy", value: ["2009"] }, "created by is 2009"],
    [FILE_SETS, { field: "owner", operator: "IS_NULL" }, "owner has no value"],
    [FILE_SETS, { field: "owner", operator: "IS_NULL", not: true }, "owner has a value"],
    [runs, { field: "duration", operator: "LESS_THAN", value: ["120"] }, "duration is under 2 min"],
    [runs, { field: "emailSize", value: ["1500000"] }, "email size is 1.5 MB"],
    [runs, { field: "automated", value: ["true"] }, "trigger is automated"],
    [runs, { field: "automated", value: ["false"] }, "trigger is manual"],
    [runs, { field: "recipient", value: ["2008", "7"] }, "recipient is Hiro Fischer or user 7"],
    [runs, { field: "colour", operator: "NEAR", value: ["x"], not: true }, "colour not NEAR x"],
  ] as const;
  for (const [words, filter, text] of cases) assertEquals(formatCondition(filter, words), text);
  const key = { field: "duration", order: "DESC" };
  assertEquals(formatSortKey(key, RUNS.table), "duration, descending");
});

Deno.test("formatCondition: a range by its name or its days, other times to the minute", () => {
  const [day, next] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
  const cases: readonly (readonly [query: string, text: string, zone?: string])[] = [
    ["last-7-days", "last 7 days"],
    ["2026-01-01", "on 2026-01-01"],
    ["2026-01", "from 2026-01-01 to 2026-01-31"],
    [">=2026", "from 2026-01-01"],
    ["..2026-01-01", "until 2026-01-01"],
    ["..", "at any time"],
    [
      `${day}..${next}`,
      "from 2026-01-01 01:00 and before 2026-01-02 01:00 Berlin time",
      "Europe/Berlin",
    ],
    // There, the clocks went from midnight to one o'clock.
    ["2025-03-30", "on 2025-03-30", "Asia/Beirut"],
  ];
  for (const [query, text, zone = "UTC"] of cases) {
    const [filter] = parseSearchQuery(`updated:${query}`, { zone }).body.dateFilters!;
    const written = [false, true].map((not) =>
      formatCondition({ ...filter, not }, { ...FILE_SETS, zone })
    );
    assertEquals(written, [`updated ${text}`, `updated is not ${text}`]);
  }
});
