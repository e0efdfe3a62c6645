import { assertEquals } from "@std/assert";
import { FILE_SETS, fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { listConditions, toggled, type Use } from "../../../components/search/conditions.ts";
import { sortedAlsoBy, sortedBy } from "../../../components/search/page_view.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";
import type { FieldSort } from "../../../lib/types.ts";

const DATES = { now: Date.parse("2026-06-15T12:00:00Z"), zone: "UTC" };

function viewOf(query: string) {
  return parsePageView(new URLSearchParams(query), FILE_SETS, DATES).view;
}

/** The condition that a query is. */
function conditionOf(q: string) {
  return listConditions(viewOf(String(new URLSearchParams({ q }))).body)[0];
}

Deno.test("toggled: adds or removes a value, and replaces its opposite or another range", () => {
  const others = "q=created:today+-updated:today";
  const cases: readonly (readonly [query: string, q: string, use: Use, href: string])[] = [
    ["limit=25", "owner:Finance", "included", "?q=owner:Finance&limit=25"],
    ["q=owner:Finance", "owner:Legal", "included", "?q=owner:Finance,Legal"],
    ["q=owner:Finance,Legal", "owner:Finance", "included", "?q=owner:Legal"],
    ["q=owner:Legal&limit=25", "owner:Legal", "included", "?limit=25"],
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
  for (const [query, q, use, href] of cases) {
    const view = toggled(viewOf(query), conditionOf(q), use);
    assertEquals(fileSetsHref(view), `/filesets${href}`);
  }
});

const name = (order: FieldSort["order"]) => ({ field: "name", order });
const owner = { field: "owner", order: "DESC" } as const;

Deno.test("sortedBy: ascending, descending, then not at all", () => {
  const cases: [FieldSort[], FieldSort[], FieldSort[]][] = [
    [[], [name("ASC")], [name("ASC")]],
    [[name("ASC")], [name("DESC")], [name("DESC")]],
    [[name("DESC")], [], []],
    [[owner], [name("ASC")], [owner, name("ASC")]],
    [[name("ASC"), owner], [name("ASC")], [name("DESC"), owner]],
    [[owner, name("DESC")], [name("ASC")], [owner]],
  ];
  for (const [fieldSort, alone, among] of cases) {
    const view = { body: { fieldSort }, offset: 20 };
    assertEquals(sortedBy(view, "name"), { body: { fieldSort: alone } } as typeof view);
    assertEquals(sortedAlsoBy(view, "name"), { body: { fieldSort: among } } as typeof view);
  }
});
