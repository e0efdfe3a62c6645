import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DatabaseSync } from "node:sqlite";
import type { SearchBody } from "../../../../lib/types.ts";
import { toSearchPlan } from "../../../../server/store/search/validate.ts";
import { makeIndexes } from "../../../../server/store/sqlite/sqlite_indexes.ts";
import { migrate } from "../../../../server/store/sqlite/migrate_sqlite.ts";
import {
  countFileSets,
  findFileSets,
  pageOfFileSets,
  STOPPABLE,
  UNSTOPPABLE,
} from "../../../../server/store/sqlite/search_statements.ts";
import { countEach, createLookups } from "../../../../server/store/sqlite/trigrams.ts";
import { statementsOf } from "../../../../server/store/sqlite/statements.ts";
import { put } from "../../../../server/store/sqlite/sqlite_writes.ts";
import { fileSet } from "../rows.ts";
import type { Sql } from "../../../../server/store/sql.ts";

/** How SQLite goes about a query. */
async function stepsOf(sql: Sql): Promise<string[]> {
  const db = new DatabaseSync(":memory:");
  await migrate(db);
  db.function("alive", () => 1);
  makeIndexes(db);
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
    pageOfFileSets(plan, { matching: 1_000_000, all: 1_000_000 }, STOPPABLE),
  );
  assert(
    steps.includes("SCAN file_sets USING COVERING INDEX file_sets_by_created_desc"),
    `${steps}`,
  );
  assert(steps.includes("SEARCH file_sets USING INTEGER PRIMARY KEY (rowid=?)"), `${steps}`);
});

Deno.test("pageOfFileSets: few matches are found by their pieces, many by walking the order's index", async () => {
  const few = await stepsOf(
    pageOfFileSets(planOf(like("abc")), { matching: 50, all: 1_000_000 }, STOPPABLE),
  );
  assert(few.some((step) => step.includes("file_set_pieces VIRTUAL TABLE INDEX")), `${few}`);
  const many = await stepsOf(
    pageOfFileSets(planOf(like("abc")), { matching: 500_000, all: 1_000_000 }, STOPPABLE),
  );
  assert(many.includes("SCAN file_sets USING INDEX file_sets_by_created"), `${many}`);
  assert(!many.some((step) => step.includes("file_set_pieces")), `${many}`);
});

Deno.test("countFileSets: texts of three letters or more are counted by their pieces", async () => {
  for (const field of ["name", "description", "owner", "permission"]) {
    const steps = await stepsOf(countFileSets(planOf(like("abc", field)), STOPPABLE));
    assertEquals(steps.length, 1);
    assert(steps[0].startsWith("SCAN file_set_pieces VIRTUAL TABLE INDEX"), `${steps}`);
  }
  const short = await stepsOf(countFileSets(planOf(like("ab")), STOPPABLE));
  assert(!short.some((step) => step.includes("file_set_pieces")), `${short}`);
});

Deno.test("countFileSets: an id is searched in its own index", async () => {
  const steps = await stepsOf(countFileSets(planOf(like("abc", "id")), STOPPABLE));
  assert(steps[0].startsWith("SCAN file_sets USING COVERING INDEX"), `${steps}`);
});

Deno.test("countFileSets: beside another condition, permission's index is not used", async () => {
  const permission = { field: "permission", value: ["READ"] };
  const owner = { field: "owner", value: ["Claims"] };
  const [both] = await stepsOf(countFileSets(planOf({ filters: [permission, owner] }), STOPPABLE));
  assert(both.includes("INDEX file_sets_by_owner"), both);
  const [alone] = await stepsOf(countFileSets(planOf({ filters: [permission] }), STOPPABLE));
  assert(alone.includes("COVERING INDEX file_sets_by_permission"), alone);
});

Deno.test("pageOfFileSets: two sort keys are sorted as a whole where the page is deep", async () => {
  const sort = [{ field: "owner" }, { field: "name" }];
  const counts = { matching: 1_000_000, all: 1_000_000 };
  const deep = await stepsOf(
    pageOfFileSets(planOf({ fieldSort: sort }, 500_000), counts, STOPPABLE),
  );
  assert(deep.includes("MATERIALIZE sorted"), `${deep}`);
  const first = await stepsOf(pageOfFileSets(planOf({ fieldSort: sort }), counts, STOPPABLE));
  assert(!first.includes("MATERIALIZE sorted"), `${first}`);
});

/** Texts of few letters: many contain each other, or the same trigrams in another order. */
const textOf = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'aAbß"😀'), minLength, maxLength });

Deno.test("findFileSets: finds the matches and the page that counting and paging find", async () => {
  const db = new DatabaseSync(":memory:");
  await migrate(db);
  db.function("alive", () => 1);
  makeIndexes(db);
  const statements = statementsOf(db);
  const lookupOf = createLookups();
  const count = (queries: readonly string[], most: number) => {
    const [counts] = statements.read(countEach(queries, most, UNSTOPPABLE));
    return Promise.resolve(counts as number[]);
  };
  const names = fc.sample(textOf(0, 16), { numRuns: 300, seed: 1 });
  put(db, statements, {
    fileSets: names.map((name, n) => fileSet(n, { name, description: names[n >> 1] })),
  });
  const fieldSort = [{ field: "owner", order: "DESC" }, { field: "name" }];
  const filter = fc.record({
    field: fc.constantFrom("name", "description"),
    operator: fc.constant("LIKE"),
    value: fc.array(textOf(3, 7), { minLength: 1, maxLength: 3 }),
  });
  let found = 0;
  const search = fc.tuple(
    fc.array(filter, { minLength: 1, maxLength: 2 }),
    fc.option(
      fc.record({
        field: fc.constant("fileCount"),
        not: fc.constant(true),
        value: fc.constant(["3"]),
      }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(search, fc.nat(5), async ([texts, other], offset) => {
      const filters = [...texts, ...other ? [other] : []];
      const { plan } = toSearchPlan({ filters, fieldSort }, { limit: 4, offset });
      const [[matching]] = statements.read(countFileSets(plan, UNSTOPPABLE)) as [[number]];
      const counts = { matching, all: names.length };
      const rows = statements.read(pageOfFileSets(plan, counts, UNSTOPPABLE)).map(([json]) => json);
      const lookup = (await lookupOf(plan, { all: names.length, version: "1" }, count))!;
      const [[total, json]] = statements.readStoppable(findFileSets(plan, lookup, STOPPABLE));
      assertEquals([total, json], [matching, rows.join(",")]);
      found += rows.length;
    }),
    { numRuns: 300 },
  );
  assert(found > 100, `${found}`);
  db.close();
});

Deno.test("findFileSets: of more than a few it tells nothing", async () => {
  const db = new DatabaseSync(":memory:");
  await migrate(db);
  const statements = statementsOf(db);
  const fileSets = Array.from({ length: 2001 }, (_, n) => fileSet(n, { name: "abcd" }));
  const { plan } = toSearchPlan(like("bcd"), { limit: 1 });
  const lookup = { query: '"bcd"', rows: 1, entries: 1 };
  put(db, statements, { fileSets: fileSets.slice(1) });
  const [few] = statements.read(findFileSets(plan, lookup, UNSTOPPABLE));
  assertEquals([few[0], typeof few[1]], [2000, "string"]);
  put(db, statements, { fileSets });
  assertEquals(statements.read(findFileSets(plan, lookup, UNSTOPPABLE)), [[null, null]]);
  db.close();
});
