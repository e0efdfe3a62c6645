import { assert, assertEquals, assertMatch } from "@std/assert";
import { parseFileSetsView } from "../../../components/file_sets/file_sets_link.ts";
import { Chips } from "../../../components/search/chips.tsx";
import { ConditionEditor } from "../../../components/search/condition_editor.tsx";
import { FacetsPanel } from "../../../components/file_sets/facets_panel.tsx";
import { PresentView } from "../../../components/search/present_view.tsx";
import {
  FILE_SETS,
  fileSetsHref,
  formatFileSetsView,
} from "../../../components/file_sets/file_sets_view.ts";
import { fileSetSuggestions } from "../../../components/file_sets/search/file_set_suggestions.ts";
import type { SearchPage } from "../../../components/search/page_view.ts";
import { TableOptions } from "../../../components/search/table_options.tsx";
import { facetsOfFileSets } from "../../../lib/search/facets.ts";
import { htmlOf, textOf, textsOf } from "../rendered.ts";

const DATES = { now: Date.parse("2026-06-15T12:00:00Z"), zone: "Europe/Berlin" };
const ZONE = DATES.zone;

function viewOf(query: string) {
  const { view, issues } = parseFileSetsView(new URLSearchParams(query), DATES);
  assertEquals(issues, []);
  return view;
}

function pageOf(query: string): SearchPage {
  return { table: FILE_SETS.table, view: viewOf(query), href: fileSetsHref, zone: ZONE };
}

/** The links of a piece of markup by their names. */
function links(html: string): Record<string, string> {
  const found = [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)];
  return Object.fromEntries(found.map(([, attributes, content]) => {
    const href = /href="([^"]*)"/.exec(attributes)?.[1].replaceAll("&amp;", "&") ?? "";
    const name = /aria-label="([^"]*)"/.exec(attributes)?.[1] ?? textOf(content);
    return [name, href.replace(/^\/filesets(\?view=all$)?/, "")];
  }));
}

const ROWS = [
  { id: "1", owner: "Finance", permission: "READ", fileCount: 0, updated: "2026-06-14T10:00:00Z" },
  {
    id: "2",
    owner: "Finance",
    permission: "WRITE",
    fileCount: 12,
    updated: "2025-01-14T10:00:00Z",
  },
  { id: "3", owner: "Legal", permission: "READ", fileCount: 5000, updated: "2024-06-14T10:00:00Z" },
];
const FACETS = facetsOfFileSets(ROWS, DATES);

const SEARCH =
  "filter=owner:EQUALS:Finance&filter=!permission:EQUALS:READ&date=updated:last-month" +
  "&sort=updated:DESC&off=filter:name:LIKE:payroll";

Deno.test("Chips: each says its condition, and leads to its editor", () => {
  const html = htmlOf(<Chips page={pageOf(SEARCH)} />);
  assertEquals(
    textsOf(html, "li"),
    [
      "owner is Finance ×",
      "permission is not READ ×",
      "updated last month ×",
      "sorted by updated, descending ×",
      "off name contains payroll ×",
      "Add filter",
      "Clear all",
    ].map((text) => text.replace(" ×", "×").replace("off name", "offname")),
  );
  const to = links(html);
  const rest = SEARCH.replace("&sort", "&sort");
  assertEquals(to["Edit: owner is Finance"], `?${rest}&edit=owner:EQUALS:Finance`);
  assertEquals(
    to["Remove: owner is Finance"],
    `?${rest.replace("filter=owner:EQUALS:Finance&", "")}`,
  );
  assertEquals(
    to["Switch on: name contains payroll"],
    "?filter=owner:EQUALS:Finance&filter=!permission:EQUALS:READ&filter=name:LIKE:payroll" +
      "&date=updated:last-month&sort=updated:DESC",
  );
  assertEquals(to["Add filter"], `?${rest}&add=`);
  assertEquals(to["Clear all"], "");
  assertEquals(
    to["Reverse: sorted by updated, descending"],
    `?${rest.replace("updated:DESC", "updated")}`,
  );
  assertMatch(html, /title="from 2026-05-01 to 2026-05-31 Berlin time"/);
  assertMatch(html, /aria-label="Edit: owner is Finance"[^>]*title="Edit, negate or switch off"/);
  assert(!html.includes('aria-expanded="true"'));
});

Deno.test("Chips: without a search, a filter can be added and nothing be cleared", () => {
  const html = htmlOf(<Chips page={pageOf("limit=25")} />);
  assertEquals(textsOf(html, "li"), ["Add filter"]);
  const adding = htmlOf(<Chips page={pageOf("add=")} />);
  assertMatch(adding, /aria-expanded="true"/);
});

Deno.test("Chips: what is sorted by can be reversed and removed; several can be cleared", () => {
  const one = links(htmlOf(<Chips page={pageOf("sort=name:DESC")} />));
  assertEquals(one, {
    "Reverse: sorted by name, descending": "?sort=name",
    "Remove: sorted by name, descending": "",
    "Add filter": "?sort=name:DESC&add=",
  });
  const two = links(htmlOf(<Chips page={pageOf("sort=name&sort=owner&limit=25")} />));
  assertEquals(two["Clear all"], "?limit=25");
  assertEquals(two["Remove: sorted by name, ascending"], "?sort=owner&limit=25");
});

Deno.test("Chips: a click on the chip that is being edited closes its editor", () => {
  const html = htmlOf(<Chips page={pageOf("q=payroll&edit=name:LIKE:payroll")} />);
  assertEquals(links(html)["Edit: name contains payroll"], "?q=payroll");
  assertMatch(html, /aria-expanded="true"/);
});

Deno.test("FacetsPanel: each value with its number, to include and to exclude", () => {
  const view = viewOf("filter=!permission:EQUALS:READ");
  const html = htmlOf(<FacetsPanel facets={{ ...FACETS, rows: null }} view={view} zone={ZONE} />);
  assertEquals(textsOf(html, "li").slice(0, 4), [
    "Finance2−",
    "Legal1−",
    "not READ2+",
    "WRITE1−",
  ]);
  assert(!textOf(html).includes("shown"));
  assertEquals(textsOf(html, "summary"), ["Narrow down"]);
  assertMatch(html, /<section class="facets" aria-label="Narrow down"/);
  // The longest bar stands for the most frequent value.
  assertEquals(html.match(/<rect width="\d+"/g)?.slice(0, 2), [
    '<rect width="100"',
    '<rect width="50"',
  ]);
  const to = links(html);
  assertEquals(to["Finance"], "?filter=!permission:EQUALS:READ&filter=owner:EQUALS:Finance");
  assertEquals(to["Exclude Legal"], "?filter=!permission:EQUALS:READ&filter=!owner:EQUALS:Legal");
  assertEquals(to["Do not exclude READ"], "");
  assertEquals(to["Last 7 days"], "?filter=!permission:EQUALS:READ&date=updated:last-7-days");
  assertEquals(
    to["Until 2024-12-31"],
    "?filter=!permission:EQUALS:READ&date=updated:..2024-12-31T23:00:00Z",
  );
  assertEquals(
    to["1,000 or more"],
    "?filter=!permission:EQUALS:READ&filter=fileCount:GREATER_THAN_OR_EQUAL:1000",
  );
  assertEquals(to["None"], "?filter=!permission:EQUALS:READ&filter=fileCount:EQUALS:0");
  // No row has a date of creation.
  assertEquals(textsOf(html, "h2"), ["Owner", "Permission", "Updated", "Files"]);
  const names = [...html.matchAll(/<section [^>]*aria-labelledby="([^"]*)"/g)].map(([, id]) => id);
  const ids = [...html.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id);
  assertEquals([names, new Set(ids).size], [ids, 4]);
});

Deno.test("FacetsPanel: file sets without a value can be chosen too", () => {
  const html = htmlOf(
    <FacetsPanel facets={facetsOfFileSets([{ id: "1" }])} view={viewOf("")} zone={ZONE} />,
  );
  assertEquals(textsOf(html, "li"), ["none1−", "none1−"]);
  assertEquals(links(html)["Exclude none"], "?filter=!permission:IS_NULL");
});

Deno.test("FacetsPanel: says which rows were counted, where not all were", () => {
  const shown = (rows: number) =>
    textOf(htmlOf(<FacetsPanel facets={{ ...FACETS, rows }} view={viewOf("")} zone={ZONE} />));
  assertMatch(shown(100), /of the 100 rows shown/);
  assertMatch(shown(1), /of the 1 row shown/);
});

Deno.test("FacetsPanel: a value that is cut off is whole in its title", () => {
  const options = ["Finance", "Research and Development"].map((value) => ({
    condition: { field: "owner", operator: "EQUALS", value: [value] },
    count: 1,
  }));
  const facets = { rows: null, facets: [{ field: "owner" as const, others: 0, options }] };
  const html = htmlOf(<FacetsPanel facets={facets} view={viewOf("")} zone={ZONE} />);
  assertEquals(html.match(/ title="(?!Exclude)[^"]*"/g), [' title="Research and Development"']);
});

Deno.test("FacetsPanel: what is included is marked, and others are counted together", () => {
  const [owner] = FACETS.facets;
  const facets = { rows: null, facets: [{ ...owner, others: 1234 }] };
  const view = viewOf("filter=owner:EQUALS:Finance");
  const html = htmlOf(<FacetsPanel facets={facets} view={view} zone={ZONE} />);
  assertMatch(html, /<li class="included"><a href="\/filesets\?view=all" aria-current="true"/);
  assertMatch(textOf(html), /Other values… of owner1,234/);
  assertEquals(links(html)["Other values… of owner"], "?filter=owner:EQUALS:Finance&add=owner");
});

function editor(query: string, { rows = ROWS, upstream = false } = {}): string {
  return htmlOf(
    <ConditionEditor
      page={pageOf(query)}
      suggestions={(field) => fileSetSuggestions(field, FACETS, rows)}
      upstream={upstream}
    />,
  );
}

Deno.test("ConditionEditor: first the field, each with a link", () => {
  const html = editor("q=payroll&add=");
  assertEquals(links(html)["Files"], "?q=payroll&add=fileCount");
  assertEquals(links(html)["Cancel"], "?q=payroll");
  assertEquals(textsOf(html, "li").length, 10);
});

Deno.test("ConditionEditor: only operators that fit the field", () => {
  const operators = (field: string, props?: { readonly upstream: boolean }) =>
    textsOf(editor(`add=${field}`, props).split("</select>")[0], "option");
  assertEquals(operators("owner"), [
    ...["is", "is not", "contains", "does not contain", "has no value", "has a value"],
  ]);
  assertEquals(operators("id"), ["is", "is not"]);
  assertEquals(operators("updated"), ["is in", "is not in", "has no value", "has a value"]);
  assertEquals(
    operators("fileCount").filter((words) => !words.includes("not")),
    ["is", "is at least", "is at most", "is over", "is under", "has no value", "has a value"],
  );
  assertEquals(operators("id", { upstream: true }), ["is", "is not"]);
  assertEquals(operators("owner", { upstream: true })[2], "contains (undocumented)");
});

Deno.test("ConditionEditor: suggests the values that were seen, with their numbers", () => {
  assertEquals(textsOf(editor("add=owner"), "label").slice(1), [
    "Finance 2",
    "Legal 1",
    "Other value",
  ]);
  assertEquals(textsOf(editor("add=owner"), "datalist"), [""]);
  const rows = [...ROWS, { ...ROWS[0], owner: "Odd" }];
  assertMatch(
    editor("add=owner", { rows }),
    /<datalist[^>]*><option value="Odd">[^<]*<\/option><\/d/,
  );
  assertMatch(editor("add=fileCount"), /<option value="5000">/);
  const dates = editor("add=updated");
  assertEquals(textsOf(dates, "label"), ["Updated", "Range", "From", "To"]);
  assertEquals(textsOf(dates, "select")[1].split(" | ").slice(0, 2), ["Exact days", "Today"]);
});

Deno.test("ConditionEditor: a condition that is edited is filled in", () => {
  const html = editor("filter=!owner:EQUALS:Finance,Legal&edit=!owner:EQUALS:Finance,Legal");
  assertMatch(textOf(html), /Edit the filter by owner/);
  assertEquals(textsOf(html, "button"), ["Apply"]);
  assertMatch(textOf(editor("add=owner")), /Add a filter by owner/);
  assertEquals(textsOf(editor("add=owner"), "button"), ["Apply", "Apply and add another"]);
  assertMatch(html, /<option[^>]*value="!EQUALS"[^>]*selected|<option selected value="!EQUALS"/);
  assertEquals(html.match(/name="new-chosen" value="\w+" checked/g)?.length, 2);
  assertMatch(html, /name="new-value" type="text" value /);
  const others = editor("filter=owner:EQUALS:Legal,Odd&edit=owner:EQUALS:Legal,Odd");
  assertEquals(others.match(/value="\w+" checked/g), ['value="Legal" checked']);
  assertMatch(others, /name="new-value" type="text" value="Odd"/);
  assertMatch(html, /name="new-replaces" value="!owner:EQUALS:Finance,Legal"/);
  const to = links(html);
  assertEquals(to["Do not negate"], "?filter=owner:EQUALS:Finance,Legal");
  assertEquals(to["Switch off"], "?off=filter:!owner:EQUALS:Finance,Legal");
  assertEquals(to["Remove"], "");
});

Deno.test("ConditionEditor: a condition that is off can be edited and switched on", () => {
  const to = links(editor("off=filter:owner:EQUALS:Legal&edit=owner:EQUALS:Legal"));
  assertEquals(to["Switch on"], "?filter=owner:EQUALS:Legal");
  assertEquals(to["Negate"], "?off=filter:!owner:EQUALS:Legal");
});

Deno.test("ConditionEditor: a link to a condition that is gone opens nothing", () => {
  assertEquals(editor("edit=owner:Legal"), "");
});

Deno.test("PresentView: the form sends the rest of the view, and the query the search", () => {
  const view = viewOf("q=payroll&off=filter:owner:EQUALS:a&limit=25&columns=name&density=compact");
  const html = htmlOf(
    <PresentView view={{ ...view, body: {}, q: undefined }} format={formatFileSetsView} />,
  );
  const hidden = [...html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  assertEquals(hidden.map(([, name, value]) => `${name}=${value}`), [
    "new-form=1",
    "limit=25",
    "columns=name",
    "off=filter:owner:EQUALS:a",
    "density=compact",
  ]);
});

const OPTIONS = {
  rows: FILE_SETS,
  target: { action: "/filesets", method: "get" },
  density: "",
  upstream: false,
} as const;

Deno.test("TableOptions: keeps the search, and offers what the table can show", () => {
  const html = htmlOf(
    <TableOptions {...OPTIONS} view={viewOf("q=payroll&columns=name&limit=70")} upstream />,
  );
  assertMatch(html, /name="q" value="payroll"/);
  assertEquals(html.match(/checked/g)?.length, 1);
  assertEquals(textsOf(html, "label").slice(10), [
    ...["Page size", "Row spacing", "Also sort by", "Order"],
  ]);
  const [sizes, spacings, fields, orders] = textsOf(html, "select").map((text) =>
    text.split(" | ")
  );
  assertEquals(sizes, ["25", "50", "70", "100", "250", "500", "1000"]);
  assertEquals(spacings, ["Default", "Comfortable", "Compact"]);
  assertEquals(fields.slice(0, 2), ["None", "Name"]);
  assertEquals(orders, ["ascending", "descending (undocumented)"]);
  assertMatch(html, /value="compact"/);
  assertEquals(textsOf(html, "button"), ["Apply"]);
});
