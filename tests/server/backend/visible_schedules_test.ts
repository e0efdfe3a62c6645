import { assertEquals, assertRejects } from "@std/assert";
import { recordsOfSchedules } from "../../../server/backend/visible_schedules.ts";
import { observerRecordsOn } from "../../../server/store/observer/observer_records.ts";
import { openSqlite } from "../../../server/store/sqlite/open_sqlite.ts";

Deno.test("recordsOfSchedules: whoever sees some schedules of an owner can't rename it", async () => {
  const engine = await openSqlite({ path: ":memory:" });
  const records = observerRecordsOn(engine);
  const actor = { name: "Ada", known: "typed" } as const;
  const by = { actor, now: 1 };
  await records.watches.add([1, 2], 1, { note: "Finance" });
  await records.owners.save({ name: "Finance", quiet: null, changed: 1, actor }, {});
  const some = recordsOfSchedules(records, new Set([1])).owners;
  await assertRejects(() => some.rename("finance", "Money", by), Error, "may not read all");
  assertEquals((await records.watches.get(2))?.note, "Finance");
  const all = recordsOfSchedules(records, new Set([1, 2])).owners;
  assertEquals(await all.rename("Finance", "Money", by), true);
  await engine.close();
});
