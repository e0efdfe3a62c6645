import { assertEquals } from "@std/assert";
import { FILE_SETS, fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { conditionsOf, toggled, type Use, useOf } from "../../../components/search/conditions.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";

const DATES = { now: Date.parse("2026-06-15T12:00:00Z"), zone: "UTC" };

function viewOf(query: string) {
  return parsePageView(new URLSearchParams(query), FILE_SETS, DATES).view;
}

/** The condition that a query is. */
function conditionOf(q: string) {
  return conditionsOf(viewOf(String(new URLSearchParams({ q }))).body)[0];
}

/** The link after conditions were toggled one after the other. */
function toggledHref(query: string, ...steps: readonly [q: string, use: Use][]): string {
  const view = steps.reduce((view, [q, use]) => toggled(view, conditionOf(q), use), viewOf(query));
  return fileSetsHref(view).replace(/^\/filesets/, "");
}

Deno.test("toggled: includes several values of a field, and removes them one by one", () => {
  const steps: [string, Use][] = [
    ["owner:Finance", "included"],
    ["owner:Legal", "included"],
    ["owner:Finance", "included"],
    ["owner:Legal", "included"],
  ];
  assertEquals(steps.map((_, index) => toggledHref("limit=25", ...steps.slice(0, index + 1))), [
    "?filter=owner:EQUALS:Finance&limit=25",
    "?filter=owner:EQUALS:Finance,Legal&limit=25",
    "?filter=owner:EQUALS:Legal&limit=25",
    "?limit=25",
  ]);
});

Deno.test("toggled: excluding a value ends its inclusion, and vice versa", () => {
  const query = "filter=owner:EQUALS:Finance,Legal";
  assertEquals(
    toggledHref(query, ["owner:Legal", "excluded"]),
    "?filter=owner:EQUALS:Finance&filter=!owner:EQUALS:Legal",
  );
  assertEquals(
    toggledHref("filter=!owner:EQUALS:Legal", ["owner:Finance", "excluded"]),
    "?filter=!owner:EQUALS:Legal,Finance",
  );
  assertEquals(
    toggledHref("filter=!owner:EQUALS:Legal", ["owner:Legal", "included"]),
    "?filter=owner:EQUALS:Legal",
  );
});

Deno.test("toggled: a range replaces another range; exclusions, other fields and sort keys stay", () => {
  const others = "date=created:today&date=!updated:today";
  assertEquals(
    toggledHref(`${others}&date=updated:last-year&sort=updated:DESC&offset=100`, [
      "updated:last-7-days",
      "included",
    ]),
    `?${others}&date=updated:last-7-days&sort=updated:DESC`,
  );
  assertEquals(
    toggledHref("date=updated:last-year", ["updated:last-7-days", "excluded"]),
    "?date=updated:last-year&date=!updated:last-7-days",
  );
  assertEquals(toggledHref("date=updated:last-year", ["updated:last-year", "included"]), "");
  assertEquals(
    toggledHref("filter=fileCount:EQUALS:0", ["files:>=10", "included"]),
    "?filter=fileCount:GREATER_THAN_OR_EQUAL:10",
  );
  assertEquals(toggledHref("date=!updated:last-year", ["updated:last-year", "excluded"]), "");
});

Deno.test("useOf: whether a search includes or excludes a condition", () => {
  const view = viewOf("filter=owner:IN:a,b&filter=!permission:EQUALS:READ&date=updated:today");
  const uses = [
    "owner:b",
    "owner:c",
    "permission:READ",
    "updated:today",
    "created:today",
    "owner:~b",
  ]
    .map((q) => useOf(view, conditionOf(q)));
  assertEquals(uses, ["included", null, "excluded", "included", null, null]);
});

Deno.test("parsePageView: unknown columns and parameters are issues", () => {
  const { mayHaveMore: _, ...rows } = FILE_SETS;
  const issuesOf = (query: string) =>
    parsePageView(new URLSearchParams(query), rows, DATES).issues.map((
      { parameter, detail },
    ) => `${parameter}: ${detail.slice(0, 34)}`);
  assertEquals(issuesOf("columns=name,zz&colour=red&limit=x"), [
    "limit: must be a whole number of at least",
    "columns: no column is called zz; use name, ",
    "colour: is not a known parameter; use q, f",
  ]);
  assertEquals(issuesOf("columns=name,owner"), []);
  // A service may send fields that the interface does not name.
  assertEquals(parsePageView(new URLSearchParams("columns=zz"), FILE_SETS, DATES).issues, []);
});
