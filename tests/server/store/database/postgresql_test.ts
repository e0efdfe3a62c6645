import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { fillWithSample } from "../../../../server/store/sample/fill.ts";
import type { SearchBody } from "../../../../lib/types.ts";
import type { Store } from "../../../../server/store/store.ts";
import { page, searchBody } from "../arbitrary.ts";
import { testStoreContract } from "../store_contract.ts";
import { fileSet } from "../rows.ts";
import { REFUSED } from "../schema/refused.ts";
import { server } from "../postgres/shared.ts";
import { openPostgresStore, openSqliteStore } from "../open_stores.ts";

async function withDatabase(work: (store: Store, url: string) => Promise<void>): Promise<void> {
  const url = await server.createSchemaDatabase();
  const store = await openPostgresStore({ url });
  try {
    await work(store, url);
  } finally {
    await store.close();
  }
}

testStoreContract("PostgreSQL", withDatabase, 100);

Deno.test("openPostgres: answers the sample as SQLite does, to the byte", () =>
  withDatabase(async (store) => {
    const other = await openSqliteStore({ path: ":memory:" });
    const sample = { now: new Date("2026-03-10T15:00:00Z"), fileSets: 500, runs: 30 };
    for (const each of [store, other]) await fillWithSample(each, sample);
    await fc.assert(
      fc.asyncProperty(searchBody, page, async (body, options) => {
        const answers = [store, other].map((each) => each.fileSets.search(body, options));
        const [one, two] = (await Promise.all(answers)).map((answer) => JSON.stringify(answer));
        assertEquals(one, two);
      }),
      { numRuns: 100 },
    );
    for (const words of [["größ"], ["Lyon", "porto"], ["share."], ["étu"], ["100 %"], ["in"]]) {
      for (const field of ["name", "description"]) {
        const body = {
          filters: [{ field, operator: "LIKE", value: words }],
          fieldSort: [{ field: "name", order: "DESC" }],
        };
        const answers = [store, other].map((each) => each.fileSets.search(body, { limit: 20 }));
        const [one, two] = (await Promise.all(answers)).map((answer) => JSON.stringify(answer));
        assertEquals(one, two);
      }
    }
    for (let scheduleId = 101; scheduleId <= 112; scheduleId++) {
      const [one, two] = await Promise.all(
        [store, other].map((each) => each.reportSchedules.history(scheduleId)),
      );
      assertEquals(JSON.stringify(one), JSON.stringify(two));
    }
    await other.close();
  }));

Deno.test("openPostgres: several instances that start together make the schema once", async () => {
  const url = await server.createDatabase();
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore({ url })));
  await stores[0].put({ fileSets: [fileSet(1)] });
  for (const store of stores) {
    assertEquals((await store.fileSets.search({})).pageContext.total, 1);
    await store.close();
  }
});

Deno.test("openPostgres: sorts and finds texts that are longer than any index holds, as SQLite does", () =>
  withDatabase(async (store) => {
    await using other = await openSqliteStore({ path: ":memory:" });
    // Without pattern, so that no compression makes them fit.
    const noise = Array.from(
      crypto.getRandomValues(new Uint16Array(20_000)),
      (unit) => String.fromCodePoint(0x1f300 + unit % 500),
    ).join("");
    const start = [...noise].slice(0, 500).join("");
    const rows = ["c", "a", "b"].map((end, n) =>
      fileSet(n, { name: noise + end, description: noise + end, owner: noise, permission: noise })
    );
    const fileSets = [...rows, fileSet(9, { name: start })];
    for (const each of [store, other]) await each.put({ fileSets });
    const found = async (body: SearchBody) => {
      const [one, two] = await Promise.all(
        [store, other].map((each) => each.fileSets.search(body)),
      );
      assertEquals(one, two);
      return one.fileSets.map((row) => row.fileCount);
    };
    const named = (operator: string, value: string) =>
      found({ filters: [{ field: "name", operator, value: [value] }] });
    assertEquals(await named("EQUALS", `${noise}a`), [1]);
    assertEquals(await named("EQUALS", start), [9]);
    assertEquals(await named("LIKE", `${noise.slice(-8)}b`), [2]);
    assertEquals((await named("GREATER_THAN", start)).length, 3);
    for (const field of ["name", "description"]) {
      for (const order of ["ASC", "DESC"]) {
        const ofOwner = { filters: [{ field: "owner", value: [noise] }] };
        assertEquals((await found({ ...ofOwner, fieldSort: [{ field, order }] })).length, 3);
      }
    }
    assertEquals((await found({ fieldSort: [{ field: "name" }] }))[0], 9);
  }));

Deno.test("openPostgres: uses a new database that has the tables of an extension", async () => {
  const url = await server.createDatabase();
  await server.asOwner(
    url,
    "CREATE EXTENSION pg_trgm",
    "CREATE TABLE spatial_ref_sys (srid integer)",
    "ALTER EXTENSION pg_trgm ADD TABLE spatial_ref_sys",
  );
  const store = await openPostgresStore({ url });
  assertEquals(await store.isEmpty(), true);
  await store.close();
});

Deno.test("openPostgres: refuses a database with other tables, and one that is not there", async () => {
  const url = await server.createSchemaDatabase();
  for (const [sql, message] of REFUSED) {
    await server.asOwner(url, sql);
    await assertRejects(() => openPostgresStore({ url }), Error, message);
  }
  await assertRejects(() => openPostgresStore({ url: `${url}_missing` }), Error, "does not exist");
});
