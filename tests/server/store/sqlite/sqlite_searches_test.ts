import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import type { SearchBody } from "../../../../lib/types.ts";
import { fieldNamed } from "../../../../server/store/fields.ts";
import { toSearchPlan } from "../../../../server/store/search/validate.ts";
import { migrateSqlite } from "../../../../server/store/sqlite/migrate_sqlite.ts";
import type { Readers } from "../../../../server/store/sqlite/readers.ts";
import { searchesOf } from "../../../../server/store/sqlite/sqlite_searches.ts";
import { statementsOf } from "../../../../server/store/sqlite/statements.ts";
import { FILE_SET_COLUMNS, fileSetValues } from "../../../../server/store/stored_rows.ts";
import { fileSet } from "../rows.ts";

type Way = "direct" | "reader" | "long";

/** Searches of a database that seems to have `all` rows, and a function that says which way one takes. */
function searchesAt(all: number) {
  const db = new DatabaseSync(":memory:");
  migrateSqlite(db);
  db.function("alive", () => 1);
  const statements = statementsOf(db);
  const marks = FILE_SET_COLUMNS.map(() => "?").join(", ");
  db.prepare(`INSERT INTO file_sets VALUES (?, ${marks})`).run(all, ...fileSetValues(fileSet(1)));
  let way: Way = "direct";
  const readers: Readers = {
    read(sql, { isLong }) {
      way = isLong ? "long" : "reader";
      return Promise.resolve(statements.readStoppable(sql));
    },
    close: () => Promise.resolve(),
  };
  const searches = searchesOf(statements, readers, async (work) => await work());
  const wayOf = async (search: () => Promise<unknown>) => {
    way = "direct";
    await search();
    return way;
  };
  return { searches, wayOf, [Symbol.dispose]: () => db.close() };
}

const LIMITS = { deadline: Infinity };

const like = (...value: string[]) => ({ field: "name", operator: "LIKE", value });

const [FEW, MANY] = [1000, 1_000_000];

for (
  const [what, { body = {}, all = MANY, matching = all, offset = 0 }, expected] of [
    ["a page by name", { body: { fieldSort: [{ field: "name" }] } }, ["reader", "direct"]],
    ["a deep page", { offset: 900_000 }, ["reader", "reader"]],
    ["ids", { body: { filters: [{ field: "id", value: ["a"] }] }, matching: 1 }, [
      "direct",
      "direct",
    ]],
    ["a rare text", { body: { filters: [like("abc")] }, matching: 10 }, ["reader", "reader"]],
    ["a frequent text", { body: { filters: [like("abc")] }, matching: 50_000 }, [
      "reader",
      "reader",
    ]],
    ["a short text", { body: { filters: [like("ab")] }, matching: 10 }, ["long", "long"]],
    ["a date range", {
      body: { dateFilters: [{ field: "created", start: "2000-01-01T00:00:00Z" }] },
      matching: 10,
    }, ["long", "long"]],
    ["two sort keys", { body: { fieldSort: [{ field: "owner" }, { field: "name" }] } }, [
      "reader",
      "long",
    ]],
    ["few rows", { body: { filters: [like("ab")] }, all: FEW }, ["direct", "direct"]],
    ["few rows, many texts", {
      body: { filters: [like(...Array.from({ length: 300 }, (_, n) => `text ${n}`))] },
      all: FEW,
      matching: 3000,
    }, ["reader", "reader"]],
  ] as [
    string,
    { body?: SearchBody; all?: number; matching?: number; offset?: number },
    [count: Way, page: Way],
  ][]
) {
  Deno.test(`searchesOf: counts and reads where nothing else waits long: ${what}`, async () => {
    using setup = searchesAt(all);
    const { searches, wayOf } = setup;
    const { plan } = toSearchPlan(body, { offset });
    const ways = [
      await wayOf(() => searches.count(plan, LIMITS)),
      await wayOf(() => searches.page(plan, { ...LIMITS, matching })),
    ];
    assertEquals(ways, expected);
  });
}

Deno.test("searchesOf: tallies of many rows are counted in a reader", async () => {
  using setup = searchesAt(1);
  const asked = { conditions: [], dateRanges: [], by: fieldNamed("owner")!, max: 10 };
  const ways: Way[] = [];
  for (const all of [1000, 50_000, 500_000]) {
    ways.push(await setup.wayOf(() => setup.searches.tally(asked, all, LIMITS)));
  }
  assertEquals(ways, ["direct", "reader", "long"]);
});
