import { assertEquals } from "@std/assert";
import { createOrders } from "../../../../server/store/sqlite/orders.ts";
import { toSearchPlan } from "../../../../server/store/search/validate.ts";

const planOf = (field: string, offset = 0) =>
  toSearchPlan({ fieldSort: [{ field }] }, { offset }).plan;
const ORDER = Float64Array.of(3, 1, 2);

Deno.test("createOrders: keeps an order for every page of a search, at one version of the data", () => {
  const orders = createOrders();
  orders.set(planOf("name"), "1", ORDER);
  assertEquals(orders.get(planOf("name", 500), "1"), ORDER);
  assertEquals(orders.get(planOf("owner"), "1"), undefined);
  assertEquals(orders.get(planOf("name"), "2"), undefined);
});

Deno.test("createOrders: forgets what was used longest ago, and every older version", () => {
  const orders = createOrders(2 * ORDER.byteLength);
  orders.set(planOf("name"), "1", ORDER);
  orders.set(planOf("owner"), "1", ORDER);
  orders.get(planOf("name"), "1");
  orders.set(planOf("created"), "1", ORDER);
  const known = () =>
    ["name", "owner", "created"].filter((field) => orders.get(planOf(field), "1") !== undefined);
  assertEquals(known(), ["name", "created"]);
  orders.set(planOf("owner"), "2", ORDER);
  assertEquals(known(), []);
  orders.set(planOf("id"), "2", new Float64Array(7));
  assertEquals(orders.get(planOf("owner"), "2"), ORDER);
});

Deno.test("createOrders: adds up the work for the pages of one search", () => {
  const orders = createOrders();
  assertEquals(orders.addWork(planOf("name"), "1", 5), 5);
  assertEquals(orders.addWork(planOf("name", 100), "1", 7), 12);
  assertEquals([orders.addWork(planOf("owner"), "1", 1), orders.addWork(planOf("name"), "2", 1)], [
    1,
    1,
  ]);
});
