import { assert, assertEquals, assertMatch } from "@std/assert";
import { Chips } from "../../../components/search/chips.tsx";
import type { NewCondition } from "../../../components/search/new_condition.ts";
import { FacetsPanel } from "../../../components/file_sets/facets_panel.tsx";
import { AddCondition, ViewInputs } from "../../../components/search/search_form_view.tsx";
import { FILE_SETS, fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import type { SearchPage } from "../../../components/search/page_view.ts";
import { SearchMenu } from "../../../components/search/search_menu.tsx";
import { countRowFacets } from "../../../server/pages/row_facets.ts";
import { htmlOf, textOf, textsOf } from "../rendered.ts";
import { parsePageView } from "../../../components/search/parse_page_view.ts";

const DATES = { now: Date.parse("2026-06-15T12:00:00Z"), zone: "Europe/Berlin" };
const ZONE = DATES.zone;

function viewOf(query: string) {
  const { view, issues } = parsePageView(new URLSearchParams(query), FILE_SETS, DATES);
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
    return [name, href.replace(/^\/filesets/, "")];
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
const FACETS = countRowFacets(ROWS, DATES);

const SEARCH = "q=owner:Finance+-permission:READ+updated:last-month&sort=-updated";

Deno.test("Chips: show each condition, and remove it", () => {
  const html = htmlOf(<Chips page={pageOf(SEARCH)}>Add</Chips>);
  assertEquals(
    textsOf(html, "li"),
    [
      "owner is Finance ×",
      "permission is not READ ×",
      "updated last month ×",
      "sorted by updated, descending ×",
      "Clear all",
      "Add",
    ].map((text) => text.replace(" ×", "×")),
  );
  const to = links(html);
  assertEquals(
    to["Remove: owner is Finance"],
    `?${SEARCH.replace("owner:Finance+", "")}`,
  );
  assertEquals(to["Clear all"], "");
  assertEquals(
    to["Reverse: sorted by updated, descending"],
    `?${SEARCH.replace("-updated", "updated")}`,
  );
  const titles = [...html.matchAll(/title="([^"]*)"/g)].map(([, title]) => title);
  assertEquals(titles, ["from 2026-05-01 to 2026-05-31 Berlin time", "Reverse"]);
});

Deno.test("Chips: without a search, there is nothing to clear", () => {
  const html = htmlOf(<Chips page={pageOf("limit=25")}>Add</Chips>);
  assertEquals(textsOf(html, "li"), ["Add"]);
});

Deno.test("Chips: reverse and remove sort keys, and clear several at once", () => {
  const one = links(htmlOf(<Chips page={pageOf("sort=-name")}>Add</Chips>));
  assertEquals(one, {
    "Reverse: sorted by name, descending": "?sort=name",
    "Remove: sorted by name, descending": "",
  });
  const two = links(htmlOf(<Chips page={pageOf("sort=name,owner&limit=25")}>Add</Chips>));
  assertEquals(two["Clear all"], "?limit=25");
  assertEquals(two["Remove: sorted by name, ascending"], "?sort=owner&limit=25");
});

Deno.test("FacetsPanel: shows each value with its count, to include or exclude", () => {
  const view = viewOf("q=-permission:READ");
  const html = htmlOf(<FacetsPanel facets={{ ...FACETS, rows: null }} view={view} zone={ZONE} />);
  assertEquals(textsOf(html, "li").slice(0, 4), [
    "Finance2exclude",
    "Legal1exclude",
    "not READ2exclude",
    "WRITE1exclude",
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
  assertEquals(to["Finance"], "?q=-permission:READ+owner:Finance");
  assertEquals(to["Exclude Legal"], "?q=-permission:READ+-owner:Legal");
  assertEquals(to["Do not exclude READ"], "");
  assertEquals(to["Last 7 days"], "?q=-permission:READ+updated:last-7-days");
  assertEquals(
    to["Until 2024-12-31"],
    "?q=-permission:READ+updated:..2024",
  );
  assertEquals(
    to["1,000 or more"],
    "?q=-permission:READ+files:%3E%3D1000",
  );
  assertEquals(to["None"], "?q=-permission:READ+files:0");
  // No row has a date of creation.
  assertEquals(textsOf(html, "h2"), ["Owner", "Permission", "Updated", "Files"]);
  const names = [...html.matchAll(/<section [^>]*aria-labelledby="([^"]*)"/g)].map(([, id]) => id);
  const ids = [...html.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id);
  assertEquals([names, new Set(ids).size], [ids, 4]);
});

Deno.test("FacetsPanel: file sets without a value can be chosen too", () => {
  const html = htmlOf(
    <FacetsPanel facets={countRowFacets([{ id: "1" }])} view={viewOf("")} zone={ZONE} />,
  );
  assertEquals(textsOf(html, "li"), ["none1exclude", "none1exclude"]);
  assertEquals(links(html)["Exclude none"], "?q=has:permission");
});

Deno.test("FacetsPanel: says which rows were counted, unless all were", () => {
  const shown = (rows: number) =>
    textOf(htmlOf(<FacetsPanel facets={{ ...FACETS, rows }} view={viewOf("")} zone={ZONE} />));
  assertMatch(shown(100), /of the 100 rows shown/);
  assertMatch(shown(1), /of the 1 row shown/);
});

Deno.test("FacetsPanel: shows a long value in full on hover", () => {
  const options = ["Finance", "Research and Development"].map((value) => ({
    condition: { field: "owner", operator: "EQUALS", value: [value] },
    count: 1,
  }));
  const facets = { rows: null, facets: [{ field: "owner" as const, others: 0, options }] };
  const html = htmlOf(<FacetsPanel facets={facets} view={viewOf("")} zone={ZONE} />);
  assertEquals(html.match(/ title="(?!Exclude)[^"]*"/g), [' title="Research and Development"']);
});

Deno.test("FacetsPanel: marks included values, and counts the others together", () => {
  const [owner] = FACETS.facets;
  const facets = { rows: null, facets: [{ ...owner, others: 1234 }] };
  const view = viewOf("q=owner:Finance");
  const html = htmlOf(<FacetsPanel facets={facets} view={view} zone={ZONE} />);
  assertMatch(html, /<li class="included"><a href="\/filesets" aria-current="true"/);
  assertMatch(textOf(html), /Other values… of owner1,234/);
  assertEquals(
    links(html)["Other values… of owner"],
    "?q=owner:Finance&new-field=owner",
  );
});

function row(condition: Partial<NewCondition>): string {
  return htmlOf(
    <AddCondition
      table={FILE_SETS.table}
      condition={{ field: "", operator: "EQUALS", value: "", ...condition }}
      values={{ owner: ["Finance", "Legal"], updated: ["last-month"] }}
    />,
  );
}

Deno.test("AddCondition: has a field, an operator and values, which the browser suggests", () => {
  const html = row({});
  assertMatch(html, /<details><summary>Add a condition/);
  const [fields, operators] = textsOf(html, "select").map((text) => text.split(" | "));
  assertEquals([fields.slice(0, 3), fields.length], [["Choose…", "Name", "Description"], 11]);
  assertEquals(operators, [
    ...["is", "is not", "contains", "does not contain"],
    ...["is over", "is at least", "is under", "is at most", "has no value", "has a value"],
  ]);
  assertEquals(textsOf(html, "datalist"), ["Owner | Owner | Updated"]);
});

Deno.test("AddCondition: keeps what was typed, and shows its error", () => {
  const html = row({
    field: "fileCount",
    operator: "!EQUALS",
    value: "many",
    issue: "Write a number",
  });
  assertMatch(html, /<details open/);
  assertEquals(
    html.match(/<option[^>]*selected[^>]*>/g)?.map((tag) => /value="([^"]*)"/.exec(tag)![1]),
    [
      "fileCount",
      "!EQUALS",
    ],
  );
  assertMatch(html, /value="many"[^>]*aria-invalid="true"[^>]*aria-describedby="new-value-help"/);
  assertMatch(html, /id="new-value-help" class="status bad" role="alert">✕ Write a number\./);
  assertMatch(row({ field: "owner" }), /<details open/);
});

Deno.test("ViewInputs: hold the rest of the view, without the search, which the query has", () => {
  const view = viewOf("q=payroll&limit=25&columns=name");
  const html = htmlOf(
    <ViewInputs view={{ ...view, body: {}, offset: 25, open: "a" }} table={FILE_SETS.table} />,
  );
  const hidden = [...html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  assertEquals(hidden.map(([, name, value]) => `${name}=${value}`), [
    "new-form=1",
    "limit=25",
    "columns=name",
  ]);
});

Deno.test("SearchMenu: copies the link first, then exports, columns and code", () => {
  const html = htmlOf(
    <SearchMenu
      rows={FILE_SETS}
      target={{ action: "/filesets", method: "get" }}
      view={viewOf("q=payroll&columns=name&limit=70")}
      href={(format) => `/export?format=${format}`}
      evidence="/evidence"
      code={{ link: "/a?b", curl: "curl 'a'", script: "import 1" }}
    />,
  );
  assertEquals(textsOf(html, "button"), ["Copy link", "Apply", "Copy curl", "Copy Script"]);
  assertMatch(html, /<button[^>]*value="\/a\?b"/);
  assertEquals(links(html), {
    CSV: "/export?format=csv",
    NDJSON: "/export?format=ndjson",
    JSON: "/export?format=json",
    "signed evidence": "/evidence",
  });
  assertEquals(html.match(/ download/g)?.length, 3);
  assertMatch(html, /name="q" value="payroll"/);
  assertEquals(html.match(/checked/g)?.length, 1);
  assertEquals(textsOf(html, "label").slice(10), ["Page size"]);
  assertEquals(textsOf(html, "select"), ["25 | 50 | 70 | 100 | 250 | 500 | 1000"]);
  assertEquals(textsOf(html, "pre"), ["curl 'a'", "import 1"]);
});
