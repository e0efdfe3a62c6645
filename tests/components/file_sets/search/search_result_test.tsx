import { assertEquals } from "@std/assert";
import { FacetsPanel } from "../../../../components/file_sets/facets_panel.tsx";
import { Result, toPosition } from "../../../../components/file_sets/search/search_result.tsx";
import { formatCondition, formatTimes } from "../../../../components/search/search_words.ts";
import { FILE_SET_QUERY as table } from "../../../../lib/search/query_table.ts";
import { parseSearchQuery } from "../../../../lib/search/search_query.ts";
import { htmlOf, textOf } from "../../rendered.ts";
import type { ShownSearch } from "../../../../components/search/page_view.ts";

Deno.test("formatCondition: writes every operator in words, plain and negated", () => {
  const words = (operator: string) =>
    [false, true].map((not) =>
      formatCondition({ field: "owner", operator, value: ["a", ""], not }, { table, zone: "UTC" })
    );
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
  for (const [operator, [is, isNot]] of Object.entries(pairs)) {
    assertEquals(words(operator), [`owner ${is} a or “”`, `owner ${isNot} a or “”`]);
  }
  const others = [
    [{ field: "fileCount", value: ["5000"] }, "files is 5,000"],
    [{ field: "fileCount", value: ["9007199254740993"] }, "files is 9007199254740993"],
    [{ field: "createdBy", value: ["2009"] }, "created by is 2009"],
    [{ field: "owner", operator: "IS_NULL" }, "owner has no value"],
    [{ field: "owner", operator: "IS_NULL", not: true }, "owner has a value"],
  ] as const;
  for (const [filter, text] of others) {
    assertEquals(formatCondition(filter, { table, zone: "UTC" }), text);
  }
});

Deno.test("formatTimes: writes days without hours, and other times to the minute, in the zone", () => {
  const [day, next] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
  const cases: readonly (readonly [query: string, text: string, zone?: string])[] = [
    ["2026-01-01", "on 2026-01-01"],
    ["2026-01", "from 2026-01-01 to 2026-01-31"],
    [">=2026", "from 2026-01-01"],
    ["..2026-01-01", "until 2026-01-01"],
    ["..", "at any time"],
    [`${day}..${next}`, "from 2026-01-01 01:00 and before 2026-01-02 01:00", "Europe/Berlin"],
    // There, the clocks went from midnight to one o'clock.
    ["2025-03-30", "on 2025-03-30", "Asia/Beirut"],
  ];
  for (const [query, text, zone = "UTC"] of cases) {
    const { body } = parseSearchQuery(`updated:${query}`, { zone });
    assertEquals(formatTimes(body.dateFilters![0], zone), text, query);
  }
});

Deno.test("formatCondition: a relative date by its name, others by their days", () => {
  const words = { table, zone: "UTC" };
  const range = { field: "updatedBy", range: "last-7-days" } as never;
  assertEquals(formatCondition(range, words), "updated by last 7 days");
  const from = { field: "created", start: "2026-01-01T00:00:00Z", range: "2026.." };
  assertEquals(formatCondition(from, words), "created from 2026-01-01");
  assertEquals(formatCondition({ ...from, not: true }, words), "created is not from 2026-01-01");
});

const NONE: ShownSearch = { body: {} };
const OWNER: ShownSearch = {
  body: {
    filters: [{ field: "owner", operator: "EQUALS", value: ["27"], not: true }],
    fieldSort: [{ field: "created", order: "DESC" }],
  },
};

Deno.test("Result: says what matches of all, and what is shown", () => {
  const text = (
    start: number,
    count: number,
    total: number | null,
    all: number | null,
    view = NONE,
  ) => {
    const position = { start, count, limit: 100, total };
    return textOf(htmlOf(<Result {...{ view, position, all }} zone="UTC" />));
  };
  assertEquals(
    text(0, 37, 37, 1204, OWNER),
    "37 of 1,204 file sets, owner is not 27, by created, descending, 1 to 37 shown",
  );
  assertEquals(text(100, 100, 5000, null), "5,000 file sets, 101 to 200 shown");
  assertEquals(text(0, 1, 1, null), "1 file set, 1 shown");
  assertEquals(text(0, 1, 1, 2), "1 of 2 file sets, 1 shown");
  assertEquals(text(0, 1, 1, 1), "1 of 1 file set, 1 shown");
  assertEquals(text(0, 0, 0, null), "0 file sets, none shown");
  assertEquals(text(900, 0, 37, null), "37 file sets, none on this page");
  assertEquals(text(0, 3, null, null), "1 to 3 shown");
});

Deno.test("toPosition: uses the service's position, or else the requested one", () => {
  const page = (pageContext: object) => ({ fileSets: [{}], pageContext }) as never;
  assertEquals(
    toPosition(page({ offset: 50, limit: 25, total: 70 }), { ...NONE, offset: 60, limit: 10 }),
    { start: 50, count: 1, limit: 25, total: 70 },
  );
  assertEquals(toPosition(page({}), { ...NONE, offset: 60, limit: 10 }), {
    start: 60,
    count: 1,
    limit: 10,
    total: null,
  });
  assertEquals(toPosition(page({}), NONE).start, 0);
});

Deno.test("FacetsPanel: says nothing of no rows", () => {
  const panel = <FacetsPanel facets={{ facets: [], rows: 0 }} view={NONE} zone="UTC" />;
  assertEquals(textOf(htmlOf(panel)), "");
});
