import { assertEquals } from "@std/assert";
import { toSearchPlan } from "../../../../server/store/search/validate.ts";
import type { SearchPlan } from "../../../../server/store/search/plan.ts";
import { totalsOf } from "../../../../server/store/search/search_file_sets.ts";

const OPTIONS = { deadline: Infinity };

/** An engine that only counts, and how often it was asked to. */
function countingEngine() {
  const asked: SearchPlan[] = [];
  const state = { version: "1", total: 7 };
  const engine = {
    count(plan: SearchPlan) {
      asked.push(plan);
      return Promise.resolve(state.total);
    },
  };
  return { asked, state, totals: totalsOf(engine) };
}

function planOf(owner?: string, page = {}): SearchPlan {
  const filters = owner === undefined ? [] : [{ field: "owner", value: [owner] }];
  return toSearchPlan({ filters }, page).plan;
}

Deno.test("totalsOf: counts a query once for all its pages while the data stays the same", async () => {
  const { asked, state, totals } = countingEngine();
  assertEquals(await totals(planOf(), OPTIONS, state.version), 7);
  await totals(planOf(undefined, { offset: 500, limit: 3 }), OPTIONS, state.version);
  assertEquals(asked.length, 1);
  await totals(planOf("Finance"), OPTIONS, state.version);
  await totals(planOf("Finance", { offset: 5 }), OPTIONS, state.version);
  assertEquals(asked.length, 2);
  await totals(planOf("Legal"), OPTIONS, state.version);
  assertEquals(asked.length, 3);
});

Deno.test("totalsOf: counts again when the data has changed", async () => {
  const { asked, state, totals } = countingEngine();
  await totals(planOf(), OPTIONS, state.version);
  Object.assign(state, { version: "2", total: 8 });
  assertEquals(await totals(planOf(), OPTIONS, state.version), 8);
  assertEquals(asked.length, 2);
});
