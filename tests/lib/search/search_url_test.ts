import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  formatSearchUrl,
  parseSearchUrl,
  type SearchView,
} from "../../../lib/search/search_url.ts";

function parse(query: string) {
  return parseSearchUrl(new URLSearchParams(query));
}

/** Any text that a URL can carry: half a surrogate pair is not among them. */
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.stringMatching(/^[!:.,%&=+ a\u00e9]{1,6}$/),
);
const name = text.filter((part) => part !== "");
const not = fc.constantFrom({}, { not: true as const });

const views: fc.Arbitrary<SearchView> = fc.record({
  body: fc.record({
    fieldSort: fc.array(fc.record({ field: name, order: name }), { minLength: 1, maxLength: 3 }),
    filters: fc.array(
      fc.tuple(
        fc.record({ field: name, operator: name, value: fc.array(text, { maxLength: 3 }) }),
        not,
      ).map(([filter, not]) => ({ ...filter, ...not })),
      { minLength: 1, maxLength: 3 },
    ),
    dateFilters: fc.array(
      fc.tuple(
        fc.record({ field: name, start: name, end: name }, { requiredKeys: ["field"] }),
        not,
      ).map(([filter, not]) => ({ ...filter, ...not })),
      { minLength: 1, maxLength: 3 },
    ),
  }, { requiredKeys: [] }),
  limit: fc.integer({ min: 1, max: 2 ** 40 }),
  offset: fc.nat(),
  skip: fc.nat(),
  columns: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
}, { requiredKeys: ["body"] });

Deno.test("formatSearchUrl, parseSearchUrl: what is written is read back", () => {
  fc.assert(
    fc.property(views, (view) => {
      const url = new URL(`https://docket.example/filesets?${formatSearchUrl(view)}`);
      assertEquals(parseSearchUrl(url.searchParams), { view, issues: [] });
    }),
    { numRuns: 500 },
  );
});

Deno.test("parseSearchUrl: never throws, and what it reads is written and read alike", () => {
  const parameter = fc.constantFrom("filter", "date", "sort", "limit", "offset", "columns", "x");
  const junk = fc.array(fc.tuple(parameter, text), { maxLength: 6 });
  fc.assert(
    fc.property(junk, (pairs) => {
      const { view } = parseSearchUrl(new URLSearchParams(pairs));
      assertEquals(parseSearchUrl(formatSearchUrl(view)), { view, issues: [] });
    }),
    { numRuns: 500 },
  );
});

Deno.test("parseSearchUrl: each form of a condition", () => {
  const { view, issues } = parse(
    "filter=owner:EQUALS:ann,bob&filter=!name:LIKE:a%252Cb&filter=description:IS_NULL" +
      "&filter=permission&date=created:2026-01-01T00:00:00Z..2026-02-01T00:00:00Z" +
      "&date=!updated:..2026-01-01&sort=name&sort=fileCount:DESC&limit=50&offset=100&columns=name,owner",
  );
  assertEquals(issues, []);
  assertEquals(view, {
    body: {
      fieldSort: [{ field: "name", order: "ASC" }, { field: "fileCount", order: "DESC" }],
      filters: [
        { field: "owner", operator: "EQUALS", value: ["ann", "bob"] },
        { field: "name", operator: "LIKE", value: ["a,b"], not: true },
        { field: "description", operator: "IS_NULL", value: [] },
        { field: "permission", operator: "EQUALS", value: [] },
      ],
      dateFilters: [
        { field: "created", start: "2026-01-01T00:00:00Z", end: "2026-02-01T00:00:00Z" },
        { field: "updated", end: "2026-01-01", not: true },
      ],
    },
    limit: 50,
    offset: 100,
    columns: ["name", "owner"],
  });
});

Deno.test("parseSearchUrl: a value may hold colons, and be empty text", () => {
  assertEquals(parse("filter=name:EQUALS:a:b").view.body.filters?.[0].value, ["a:b"]);
  assertEquals(parse("filter=name:EQUALS:").view.body.filters?.[0].value, [""]);
});

Deno.test("parseSearchUrl: the name of a range is read in the zone, and written again", () => {
  const now = Date.parse("2026-03-15T12:00:00Z");
  const params = new URLSearchParams("date=!updated:last-month");
  const { view, issues } = parseSearchUrl(params, { now, zone: "Europe/Berlin" });
  assertEquals(view.body.dateFilters, [{
    field: "updated",
    start: "2026-01-31T23:00:00Z",
    end: "2026-02-28T23:00:00Z",
    range: "last-month",
    not: true,
  }]);
  assertEquals(issues, []);
  assertEquals(String(formatSearchUrl(view)), "date=%21updated%3Alast-month");
  const [issue] = parse("date=updated:next-month").issues;
  assertEquals(
    issue.detail,
    "date must be written field:start..end, or field:RANGE with one of today, yesterday, " +
      "last-7-days, last-30-days, this-month, last-month, last-quarter, this-year, last-year",
  );
});

Deno.test("parseSearchUrl: a date needs a field", () => {
  assertEquals(parse("date=:today").issues.length, 1);
});

Deno.test("parseSearchUrl: nothing is the search for everything", () => {
  assertEquals(parse(""), { view: { body: {} }, issues: [] });
  assertEquals(parse("status=failure&text=x"), { view: { body: {} }, issues: [] });
});

Deno.test("parseSearchUrl: each issue is listed, and the rest is still read", () => {
  const { view, issues } = parse(
    "filter=&filter=%25zz:EQUALS:a&date=created&date=created:a..b..c&sort=a:ASC:b&limit=0" +
      "&offset=-1&skip=1.5&sort=name:ASC&filter=owner:EQUALS:ann",
  );
  assertEquals(view, {
    body: {
      fieldSort: [{ field: "name", order: "ASC" }],
      filters: [{ field: "owner", operator: "EQUALS", value: ["ann"] }],
    },
  });
  assertEquals(issues.map(({ parameter }) => parameter), [
    "filter",
    "filter",
    "date",
    "date",
    "sort",
    "limit",
    "offset",
    "skip",
  ]);
});

Deno.test("parseSearchUrl: a number given twice is a fault, and the first one counts", () => {
  const { view, issues } = parse("limit=10&limit=20");
  assertEquals(view.limit, 10);
  assertEquals(issues, [{ parameter: "limit", detail: "must be given once" }]);
});

Deno.test("formatSearchUrl: the order ASC is left out", () => {
  const params = formatSearchUrl({ body: { fieldSort: [{ field: "name", order: "ASC" }] } });
  assertEquals(params.toString(), "sort=name");
});

Deno.test("formatSearchUrl: half a surrogate pair does not throw", () => {
  const params = formatSearchUrl({ body: { filters: [{ field: "name", value: ["\ud800"] }] } });
  assertEquals(parseSearchUrl(params).view.body.filters?.[0].value, ["\ufffd"]);
});
