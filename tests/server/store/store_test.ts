import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createEndedSessions } from "../../../server/auth/sessions.ts";
import type { Database } from "../../../server/store/database/database.ts";
import { sql } from "../../../server/store/database/sql.ts";
import { FIELDS } from "../../../server/store/file_sets/conditions.ts";
import { LIMITS } from "../../../server/store/file_sets/search_body.ts";
import { type Store, storeOn } from "../../../server/store/store.ts";
import { eventually } from "../../eventually.ts";
import { fileSets, page, searchBody } from "./arbitrary.ts";
import { modelFacets, modelSearch } from "./model.ts";
import { testOnBoth } from "./on_both.ts";
import { fileSet } from "./rows.ts";

type TestStore = Store & { readonly database: Database };

const test = (name: string, work: (store: TestStore) => Promise<void>) =>
  testOnBoth(`store: ${name}`, (database) => work({ ...storeOn(database), database }));

test("answers any search, and its facets, as matchFileSets does", async (store) => {
  let searches = 0;
  await fc.assert(
    fc.asyncProperty(fileSets, searchBody, page, async (rows, body, options) => {
      await store.clear();
      // Every other row is another one's at first, so that its texts are replaced.
      const before = rows.map((row, at) => at % 2 === 0 ? row : { ...rows[at - 1], id: row.id });
      await store.put({ fileSets: before });
      await store.put({ fileSets: rows });
      const answer = await store.fileSets.search(body, options);
      assertEquals(JSON.stringify(answer), JSON.stringify(modelSearch(rows, body, options)));
      // Facets take longer: those of every third search are enough.
      if (searches++ % 3 > 0) return;
      const facets = modelFacets(rows, body, DATES);
      assertEquals(await store.facets(body, DATES), { rows: null, facets });
    }),
    { numRuns: { sqlite: 300, postgresql: 60 }[store.database.system] },
  );
});

const DATES = { now: 1_700_000_000_000 };

test("answers a search with as many filters and values as are allowed", async (store) => {
  const sets = [fileSet(1, { name: "needle 7" }), fileSet(2, { name: "zebra" })];
  await store.put({ fileSets: sets });
  const values = Array.from({ length: LIMITS.values }, (_, n) => `needle ${n}`);
  const short = values.slice(0, LIMITS.scannedValues)
    .map((_, n) => String.fromCodePoint(0x4e00 + n));
  const search = (operator: string, value: readonly string[], not = false) => ({
    filters: [{ field: "name", operator, value, not }],
  });
  const many = {
    filters: values.slice(0, LIMITS.filters).flatMap(() => search("LIKE", ["needle"]).filters),
    dateFilters: values.slice(0, LIMITS.dateFilters)
      .map(() => ({ field: "created", start: "2000-01-01T00:00:00Z" })),
    fieldSort: FIELDS.map((field) => ({ field: field.name, order: "DESC" })),
  };
  const bodies = ["EQUALS", "LIKE", "LESS_THAN"].flatMap((operator) =>
    [false, true].map((not) => search(operator, values, not))
  );
  const totals = [...bodies, many, search("LIKE", short)]
    .map(async (body) => (await store.fileSets.search(body)).pageContext.total);
  assertEquals(await Promise.all(totals), [1, 1, 1, 1, 1, 1, 1, 0]);
});

test("facets: counts once until rows change, not of too many, and rare values together", async (store) => {
  const sets = Array.from({ length: 15 }, (_, n) => fileSet(n, { owner: `Owner ${n % 12}` }));
  await store.put({ fileSets: [...sets, fileSet(20, { owner: "x".repeat(1000) })] });
  assertEquals(await store.facets({}, { ...DATES, most: 15 }), null);
  const counted = await store.facets({}, { ...DATES, most: 16 });
  for (const most of [15, 300_000]) assert(counted === await store.facets({}, { ...DATES, most }));
  const [{ options, others }] = counted!.facets;
  assertEquals([options.map(({ count }) => count), others], [[2, 2, 2, 1, 1, 1, 1, 1, 1, 1], 3]);
  await store.put({ fileSets: [fileSet(21, { owner: "Owner 0" })] });
  assertEquals((await store.facets({}, DATES))!.facets[0].options[0].count, 3);
});

test("ended sessions are listed until they expire, as in the memory of a process", async (store) => {
  const now = 1_800_000_000_000;
  for (const endedSessions of [store.endedSessions, createEndedSessions()]) {
    assertEquals(await endedSessions.endedBefore(["a", "b"]), -Infinity);
    await endedSessions.add({ name: "a", before: now, expires: now + 10 }, now);
    await endedSessions.add({ name: "b", before: now + 1, expires: now + 50 }, now);
    await endedSessions.add({ name: "a", before: now + 2, expires: now + 12 }, now + 2);
    assertEquals(await endedSessions.endedBefore(["b", "a"]), now + 2);
    await endedSessions.add({ name: "c", before: 1, expires: now + 99 }, now + 13);
    assertEquals(await endedSessions.endedBefore(["a"]), -Infinity);
    assertEquals(await endedSessions.endedBefore(["b"]), now + 1);
  }
});

test("stores tokens as hashes, and accepts them until they are revoked", async (store) => {
  const { tokens, database: { read } } = store;
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes, 30));
  const made = (await tokens.add("ci", "operator", at(0)))!;
  assert(/^docket_[0-9a-f]{64}$/.test(made));
  assert(!JSON.stringify(await read(sql`SELECT * FROM tokens`)).includes(made.slice(7)));
  assertEquals(await tokens.add("ci", "reader", at(1)), undefined);
  await tokens.add("another", "reader", at(2));
  assertEquals(await tokens.find(made, at(5)), { name: "ci", role: "operator" });
  assert(!await tokens.find(`${made}0`, at(6)));
  assert(await tokens.revoke("ci", at(7)));
  for (const name of ["ci", "nobody"]) assert(!await tokens.revoke(name, at(8)));
  assert(!await tokens.find(made, at(9)));
  await store.clear();
  const [created, revoked] = [at(0), at(7)].map((time) => time.getTime());
  const another = { name: "another", role: "reader", created: at(2).getTime() };
  await eventually(async () =>
    assertEquals(await tokens.list(), [
      { ...another, lastUsed: null, revoked: null },
      { name: "ci", role: "operator", created, lastUsed: at(5).setSeconds(0), revoked },
    ])
  );
});
