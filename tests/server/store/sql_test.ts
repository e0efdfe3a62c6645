import { assert, assertEquals } from "@std/assert";
import { toSearchPlan } from "../../../server/store/search/validate.ts";
import type { SearchBody } from "../../../lib/types.ts";
import { anyOf, isWalkShorter, orderBy } from "../../../server/store/sql.ts";

const like = { filters: [{ field: "name", operator: "LIKE", value: ["abc"] }] };

function planOf(body: SearchBody, offset = 0) {
  return toSearchPlan(body, { offset }).plan;
}

Deno.test("orderBy: ties are by ascending id, whatever the direction", () => {
  const order = (...fieldSort: { field: string; order?: string }[]) =>
    orderBy(planOf({ fieldSort }).sort);
  assertEquals(order(), "ORDER BY id");
  assertEquals(order({ field: "owner", order: "DESC" }), "ORDER BY owner DESC NULLS LAST, id");
  assertEquals(order({ field: "id", order: "DESC" }, { field: "name" }), "ORDER BY id DESC");
  assertEquals(
    order({ field: "description" }, { field: "name", order: "DESC" }, {
      field: "description",
      order: "DESC",
    }),
    "ORDER BY description NULLS FIRST, name DESC NULLS LAST, id",
  );
  assertEquals(
    order({ field: "description", order: "DESC" }),
    "ORDER BY description DESC NULLS LAST, id",
  );
});

Deno.test("isWalkShorter: walks the order's index if many rows match, or nothing is filtered", () => {
  const all = 1_000_000;
  assert(isWalkShorter(planOf({}, 900_000), { matching: all, all }));
  assert(isWalkShorter(planOf(like), { matching: 500_000, all }));
  assert(!isWalkShorter(planOf(like), { matching: 5_000, all }));
  // The page lies so deep that all matches before it would be walked past.
  assert(!isWalkShorter(planOf(like, 400_000), { matching: 500_000, all }));
});

Deno.test("isWalkShorter: does not walk if no index has the order", () => {
  const counts = { matching: 500_000, all: 1_000_000 };
  const by = (...fields: string[]) =>
    planOf({ ...like, fieldSort: fields.map((field) => ({ field })) });
  assert(!isWalkShorter(by("owner", "name"), counts));
  assert(isWalkShorter(by("owner"), counts));
});

Deno.test("anyOf: nests a thousand conditions no deeper than the engines allow", () => {
  const text = anyOf(Array.from({ length: 1000 }, (_, n) => `a = ${n}`));
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "(") deepest = Math.max(deepest, ++depth);
    if (character === ")") depth--;
  }
  assertEquals(depth, 0);
  assert(deepest <= 10);
  assertEquals(text.match(/a = \d+/g)?.length, 1000);
});
