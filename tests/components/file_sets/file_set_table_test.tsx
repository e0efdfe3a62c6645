import { assert, assertEquals, assertMatch } from "@std/assert";
import { FileSetTable } from "../../../components/file_sets/file_set_table.tsx";
import { FileSetFacts } from "../../../components/file_sets/drawer/drawer.tsx";
import { Drawer } from "../../../components/file_sets/drawer/drawer.tsx";
import { FILE_SETS } from "../../../components/file_sets/file_sets_view.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../rendered.ts";
import type { ShownSearch } from "../../../components/search/page_view.ts";

const full = {
  id: "0a1b2c3d-4e5f",
  name: "Payroll",
  description: "Of every month",
  owner: "Finance",
  permission: "READ",
  fileCount: 1200,
  created: "2026-01-31T23:30:00Z",
  createdBy: 27,
  updated: "2026-02-01T05:30:00Z",
  updatedBy: 0,
};
const bare = { id: "ffffffff-0000", fileCount: 0 };

function table(view: ShownSearch, zone = "UTC"): string {
  return htmlOf(<FileSetTable fileSets={[full, bare]} view={view} />, zone);
}

Deno.test("FileSetTable: a column for each field, times in the zone, and what is missing", () => {
  const html = table({ body: {}, columns: FILE_SETS.columns }, "Europe/Berlin");
  assertEquals(textsOf(html, "tr"), [
    "Name | Description | Owner | Permission | Files | Created Berlin time | Created by | " +
    "Updated Berlin time | Updated by | Id",
    "Payroll | Of every month | Finance | READ | 1,200 | 2026-02-01 00:30 | 27 | " +
    "2026-02-01 06:30 | 0 | 0a1b2c3d",
    "ffffffff-0000 | none | none | none | 0 | none | none | none | none | ffffffff",
  ]);
  assertEquals(linksOf(html).Payroll, "/filesets/0a1b2c3d-4e5f");
  assertMatch(html, /<td class="number" data-label="Files">1,200</);
  assertMatch(html, /<td class="wide" data-label="Description">/);
  assert(!html.includes('class="open"'));
});

Deno.test("FileSetTable: only the chosen columns, and the open row is marked", () => {
  const html = table({ body: {}, columns: ["owner", "name"], open: bare.id });
  assertEquals(textsOf(html, "tr"), ["Name | Owner", "Payroll | Finance", "ffffffff-0000 | none"]);
  assertEquals(html.match(/<tr class="open">/g)?.length, 1);
  assert(html.indexOf("Payroll") < html.indexOf('<tr class="open">'));
});

Deno.test("FileSetTable: a heading sorts up, then down, then not at all, and says which way", () => {
  const heading = (order?: "ASC" | "DESC") =>
    table({ body: { fieldSort: order ? [{ field: "owner", order }] : [] }, columns: ["owner"] });
  assertEquals(linksOf(heading()).Owner, "/filesets?sort=owner&columns=owner");
  assertEquals(linksOf(heading("ASC"))["Owner"], "/filesets?sort=-owner&columns=owner");
  assertEquals(linksOf(heading("DESC"))["Owner"], "/filesets?columns=owner");
  assertMatch(heading("ASC"), /aria-sort="ascending".*↑</);
  assertMatch(heading("DESC"), /aria-sort="descending".*↓</);
  assert(!heading().includes("aria-sort"));
  assertMatch(heading(), /title="Sort by this column \(Shift: add to the sort keys\)"/);
});

Deno.test("FileSetTable: numbers several sort keys, and marks only the first as the table's order", () => {
  const html = table({
    body: { fieldSort: [{ field: "owner", order: "DESC" }, { field: "name" }] },
    columns: ["owner", "name"],
  });
  assertEquals(html.match(/aria-sort="[^"]*"/g), ['aria-sort="descending"']);
  assertMatch(html, /<span aria-hidden="true">↓1<\/span>/);
  assertMatch(html, /<span aria-hidden="true">↑2<\/span>/);
  assertEquals(textsOf(html, "tr")[0], "Name, sort key 2, ascending | Owner");
});

Deno.test("FileSetFacts: every field but the name, with its unit of time, and what is missing", () => {
  const facts = (fileSet: typeof full | typeof bare) =>
    textOf(htmlOf(<FileSetFacts fileSet={fileSet} />, "Asia/Tokyo"));
  assertEquals(
    facts(full),
    "| Description | Of every month | Owner | Finance | Permission | READ | " +
      "Files | 1,200 | Created | 2026-02-01 08:30 Tokyo time | Created by | 27 | " +
      "Updated | 2026-02-01 14:30 Tokyo time | Updated by | 0 | Id | 0a1b2c3d-4e5f |",
  );
  assertEquals(facts(bare).match(/none/g)?.length, 7);
  assert(facts(bare).includes("| Files | 0 |"));
});

Deno.test("FileSetFacts: links on shared values add conditions, or remove them", () => {
  const links = (body: ShownSearch["body"], fileSet: typeof full | typeof bare = full) =>
    [
      ...htmlOf(<FileSetFacts fileSet={fileSet} view={{ body, open: fileSet.id }} />)
        .matchAll(/<a href="([^"]*)" aria-label="([^"]*)"( aria-current="true")?/g),
    ]
      .map(([, href, label, current]) => `${label}${current ? ", current" : ""}: ${href}`);
  assertEquals(links({}), [
    "Only owner Finance: /filesets?q=owner:Finance",
    "Not owner Finance: /filesets?q=-owner:Finance",
    "Only permission READ: /filesets?q=permission:READ",
    "Not permission READ: /filesets?q=-permission:READ",
    "Only files 1200: /filesets?q=files:1200",
    "Not files 1200: /filesets?q=-files:1200",
    "Only created by 27: /filesets?q=created-by:27",
    "Not created by 27: /filesets?q=-created-by:27",
    "Only updated by 0: /filesets?q=updated-by:0",
    "Not updated by 0: /filesets?q=-updated-by:0",
  ]);
  const [only, not] = links({
    filters: [{ field: "owner", operator: "EQUALS", value: ["Finance"] }],
  });
  assertEquals(only, "Only owner Finance, current: /filesets");
  assertEquals(not, "Not owner Finance: /filesets?q=-owner:Finance");
  assertEquals(links({}, bare).length, 2, "what is missing has none");
});

type Opened = Pick<typeof full, "id" | "name"> | null;

function drawer(open: string, fileSet: Opened = { id: full.id, name: full.name }): string {
  const fileSets = ["a", full.id, "c"].map((id) => ({ id }));
  return htmlOf(
    <Drawer view={{ body: {}, limit: 25, open }} fileSet={fileSet} fileSets={fileSets} />,
  );
}

Deno.test("Drawer: links to its neighbours, its page and the table", () => {
  assertEquals(linksOf(drawer(full.id)), {
    "Previous k": "/filesets?limit=25&open=a",
    "Next j": "/filesets?limit=25&open=c",
    "Close Esc": "/filesets?limit=25",
    "Open page": "/filesets/0a1b2c3d-4e5f",
  });
  assertEquals(textsOf(drawer(full.id), "h2"), ["Payroll"]);
  assertMatch(drawer(full.id), /role="dialog" aria-labelledby="opened-heading"/);
});

Deno.test("Drawer: has no link before the first row or after the last", () => {
  const names = (open: string) =>
    Object.entries(linksOf(drawer(open))).filter(([, href]) => href).map(([name]) => name);
  assertEquals(names("a"), ["Next j", "Close Esc", "Open page"]);
  assertEquals(names("c"), ["Previous k", "Close Esc", "Open page"]);
  assertEquals(names("elsewhere"), ["Close Esc", "Open page"]);
  assertEquals(drawer("a").match(/role="link" aria-disabled="true"/g)?.length, 1);
});

Deno.test("Drawer: says that a file set was not found, by its id", () => {
  const html = drawer("gone", null);
  assertEquals(textsOf(html, "h2"), ["gone"]);
  assert(textOf(html).includes("This file set was not found."));
  assert(!textOf(drawer(full.id)).includes("not found"));
});
