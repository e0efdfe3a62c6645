import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import type { SearchBody } from "../../../../lib/types.ts";
import { fieldNamed } from "../../../../server/store/fields.ts";
import { toSearchPlan } from "../../../../server/store/search/validate.ts";
import { makeIndexes } from "../../../../server/store/sqlite/sqlite_indexes.ts";
import { migrateSqlite } from "../../../../server/store/sqlite/migrate_sqlite.ts";
import {
  countFileSets,
  pageOfFileSets,
  tallyFileSets,
} from "../../../../server/store/sqlite/search_statements.ts";
import type { Sql } from "../../../../server/store/sql.ts";

/** How SQLite goes about a query. */
async function stepsOf(sql: Sql): Promise<string[]> {
  const db = new DatabaseSync(":memory:");
  migrateSqlite(db);
  db.function("alive", () => 1);
  await makeIndexes(db);
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql.text}`).all(...sql.values)
    .map((step) => String(step.detail));
  db.close();
  return steps;
}

function planOf(body: SearchBody, offset = 0) {
  return toSearchPlan(body, { offset }).plan;
}

const like = (value: string, field = "name"): SearchBody => ({
  filters: [{ field, operator: "LIKE", value: [value] }],
  fieldSort: [{ field: "created" }],
});

Deno.test("pageOfFileSets: a deep page skips in a covering index, and reads only its own rows", async () => {
  const plan = planOf({ fieldSort: [{ field: "created", order: "DESC" }] }, 900_000);
  const steps = await stepsOf(
    pageOfFileSets(plan, { matching: 1_000_000, all: 1_000_000 }),
  );
  assert(
    steps.includes("SCAN file_sets USING COVERING INDEX file_sets_by_created_desc"),
    `${steps}`,
  );
  assert(steps.includes("SEARCH file_sets USING INTEGER PRIMARY KEY (rowid=?)"), `${steps}`);
});

Deno.test("pageOfFileSets: few matches are found by their trigrams, many by walking the order's index", async () => {
  const few = await stepsOf(
    pageOfFileSets(planOf(like("abc")), { matching: 50, all: 1_000_000 }),
  );
  assert(few.some((step) => step.includes("file_set_trigrams VIRTUAL TABLE INDEX")), `${few}`);
  const many = await stepsOf(
    pageOfFileSets(planOf(like("abc")), { matching: 500_000, all: 1_000_000 }),
  );
  assert(many.includes("SCAN file_sets USING INDEX file_sets_by_created"), `${many}`);
  assert(!many.some((step) => step.includes("file_set_trigrams")), `${many}`);
});

Deno.test("countFileSets: texts of three letters or more are counted by their trigrams", async () => {
  for (const field of ["name", "description", "owner", "permission"]) {
    const steps = await stepsOf(countFileSets(planOf(like("abc", field))));
    assertEquals(steps.length, 1);
    assert(steps[0].startsWith("SCAN file_set_trigrams VIRTUAL TABLE INDEX"), `${steps}`);
  }
  const short = await stepsOf(countFileSets(planOf(like("ab"))));
  assert(!short.some((step) => step.includes("file_set_trigrams")), `${short}`);
});

Deno.test("countFileSets: an id is searched in its own index", async () => {
  const steps = await stepsOf(countFileSets(planOf(like("abc", "id"))));
  assert(steps[0].startsWith("SCAN file_sets USING COVERING INDEX"), `${steps}`);
});

Deno.test("countFileSets: beside another condition, permission's index is not used", async () => {
  const permission = { field: "permission", value: ["READ"] };
  const owner = { field: "owner", value: ["Claims"] };
  const [both] = await stepsOf(countFileSets(planOf({ filters: [permission, owner] })));
  assert(both.includes("INDEX file_sets_by_owner"), both);
  const [alone] = await stepsOf(countFileSets(planOf({ filters: [permission] })));
  assert(alone.includes("COVERING INDEX file_sets_by_permission"), alone);
});

Deno.test("tallyFileSets: finds texts in their index, and ranges in one pass", async () => {
  const by = fieldNamed("permission")!;
  const scanOf = async (body: SearchBody) =>
    (await stepsOf(tallyFileSets({ ...planOf(body), by, max: 9 })))
      .find((step) => step.includes("file_sets"))!;
  const owner = await scanOf({ filters: [{ field: "owner", value: ["Claims"] }] });
  assert(owner.includes("INDEX file_sets_by_owner"), owner);
  const dates = await scanOf({
    dateFilters: [{ field: "created", start: "2026-01-01T00:00:00Z" }],
  });
  assertEquals(dates, "SCAN file_sets");
  assert((await scanOf({})).includes("COVERING INDEX file_sets_by_permission"));
});

Deno.test("pageOfFileSets: two sort keys are sorted as a whole", async () => {
  const plan = planOf({ fieldSort: [{ field: "owner" }, { field: "name" }] });
  const steps = await stepsOf(pageOfFileSets(plan, { matching: 1_000_000, all: 1_000_000 }));
  assert(steps.includes("MATERIALIZE sorted"), `${steps}`);
});
