import { assertEquals } from "@std/assert";
import type { Database, Transaction } from "../../../../server/store/database/database.ts";
import { type Sql, sql } from "../../../../server/store/database/sql.ts";
import { peopleOn } from "../../../../server/store/people/people_list.ts";
import { storedRunsOn } from "../../../../server/store/runs/read_runs.ts";
import { storeRuns } from "../../../../server/store/runs/store_runs.ts";
import { withSqlite } from "../sqlite/with_sqlite.ts";

/** How SQLite finds runs for each statement about them, and whether it sorts them itself. */
async function plansOf(work: (database: Database & Transaction) => Promise<unknown>) {
  const plans: string[] = [];
  const explained = (database: Database, run: (statement: Sql) => Promise<unknown>) =>
    (async (statement: Sql) => {
      const steps = await database.read<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${statement}`);
      const details = steps.map(({ detail }) => detail).filter((detail) =>
        /^SEARCH runs|FOR ORDER BY$/.test(detail)
      );
      if (details.some((detail) => detail.startsWith("SEARCH"))) plans.push(details.join(", "));
      return await run(statement);
    }) as Database["read"] & Database["write"];
  await withSqlite(async (database) => {
    const [read, write] = [database.read, database.write].map((run) => explained(database, run));
    await work({ ...database, read, write, recordsKeys: () => [] });
  });
  return plans;
}

const BY_START = "SEARCH runs USING INDEX runs_by_start";

Deno.test("storedRunsOn, peopleOn: SQLite finds some runs without reading a whole history", async () => {
  const around = { runIds: [1], times: [5], max: 9 };
  assertEquals(await plansOf((database) => storedRunsOn(database).around(7, around)), [
    "SEARCH runs USING PRIMARY KEY (schedule_id=? AND run_id=?), USE TEMP B-TREE FOR ORDER BY",
    `${BY_START} (schedule_id=? AND start<?)`,
    `${BY_START} (schedule_id=? AND start>?)`,
  ]);
  assertEquals(await plansOf((database) => storedRunsOn(database).newestTexts(7, 9)), [
    `${BY_START} (schedule_id=?)`,
  ]);
  assertEquals(await plansOf((database) => peopleOn(database).runAt(7, 5)), [
    `${BY_START} (schedule_id=? AND start>? AND start<?)`,
  ]);
});

Deno.test("storeRuns: SQLite stores a run that is later than all without reading the others", async () => {
  const stored = (id: number) => (database: Transaction) =>
    storeRuns(database, [{ scheduleId: 7, start: id, run: { id, status: "success" } }], 1);
  const first = await plansOf(stored(1));
  const both = await plansOf(async (database) => {
    await stored(1)(database);
    await stored(2)(database);
  });
  const [, newest, ...others] = both.slice(first.length);
  assertEquals(newest, `${BY_START} (schedule_id=?)`);
  assertEquals(others.filter((plan) => plan.includes("PRIMARY KEY (schedule_id=?)")), []);
});
