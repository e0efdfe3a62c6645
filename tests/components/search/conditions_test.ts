import { assertEquals } from "@std/assert";
import { FILE_SETS, fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import {
  findUse,
  listConditions,
  toggled,
  type Use,
} from "../../../components/search/conditions.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";

const DATES = { now: Date.parse("2026-06-15T12:00:00Z"), zone: "UTC" };

function viewOf(query: string) {
  return parsePageView(new URLSearchParams(query), FILE_SETS, DATES).view;
}

/** The condition that a query is. */
function conditionOf(q: string) {
  return listConditions(viewOf(String(new URLSearchParams({ q }))).body)[0];
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
    "?q=owner:Finance&limit=25",
    "?q=owner:Finance,Legal&limit=25",
    "?q=owner:Legal&limit=25",
    "?limit=25",
  ]);
});

Deno.test("toggled: a condition replaces its opposite, and a range another; all else stays", () => {
  const others = "q=created:today+-updated:today";
  const cases: readonly (readonly [query: string, q: string, use: Use, href: string])[] = [
    ["q=owner:Finance,Legal", "owner:Legal", "excluded", "?q=owner:Finance+-owner:Legal"],
    ["q=-owner:Legal", "owner:Finance", "excluded", "?q=-owner:Legal,Finance"],
    ["q=-owner:Legal", "owner:Legal", "included", "?q=owner:Legal"],
    [
      `${others}+updated:last-year&sort=-updated&offset=100`,
      "updated:last-7-days",
      "included",
      `?${others}+updated:last-7-days&sort=-updated`,
    ],
    [
      "q=updated:last-year",
      "updated:last-7-days",
      "excluded",
      "?q=updated:last-year+-updated:last-7-days",
    ],
    ["q=updated:last-year", "updated:last-year", "included", ""],
    ["q=files:0", "files:>=10", "included", "?q=files:%3E%3D10"],
    ["q=-updated:last-year", "updated:last-year", "excluded", ""],
  ];
  for (const [query, q, use, href] of cases) assertEquals(toggledHref(query, [q, use]), href);
});

Deno.test("findUse: whether a search includes or excludes a condition", () => {
  const view = viewOf("q=owner:IN:a,b+-permission:READ+updated:today");
  const uses = [
    "owner:b",
    "owner:c",
    "permission:READ",
    "updated:today",
    "created:today",
    "owner:~b",
  ]
    .map((q) => findUse(view, conditionOf(q)));
  assertEquals(uses, ["included", null, "excluded", "included", null, null]);
});

Deno.test("parsePageView: unknown columns and parameters are issues", () => {
  const { mayHaveMore: _, ...rows } = FILE_SETS;
  const issuesOf = (query: string) =>
    parsePageView(new URLSearchParams(query), rows, DATES).issues.map((
      { parameter, detail },
    ) => `${parameter}: ${detail.slice(0, 34)}`);
  assertEquals(issuesOf("columns=name,zz&colour=red&limit=x"), [
    "limit: must be a whole number from 1 to 9",
    "columns: no column is called zz; use name, ",
    "colour: is not a known parameter; use q, s",
  ]);
  assertEquals(issuesOf("columns=name,owner&limit=1"), []);
  // A service may send fields that the interface does not name.
  assertEquals(parsePageView(new URLSearchParams("columns=zz"), FILE_SETS, DATES).issues, []);
});
