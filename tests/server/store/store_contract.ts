/** What every database must do: the same tests for each. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { ProblemError } from "../../../server/http/problem.ts";
import type { ChangedRows } from "../../../server/store/changes.ts";
import type { Store } from "../../../server/store/store.ts";
import { eventually } from "../../eventually.ts";
import { testBackendContract, type WithStore } from "./backend_contract.ts";
import { fileSets, searchBody } from "./arbitrary.ts";
import { modelFacets } from "./model.ts";
import { fileSet, run } from "./rows.ts";

/** Registers all tests for one database. */
export function testStoreContract(database: string, withStore: WithStore, runs = 300): void {
  testBackendContract(`${database} store`, withStore, runs);
  const test = (name: string, work: (store: Store) => Promise<void>) =>
    Deno.test(`${database} store: ${name}`, () => withStore(work));

  test("facets: counts those of any search as matchFileSets does", async (store) => {
    const dates = { now: 1_700_000_000_000 };
    await fc.assert(
      fc.asyncProperty(fileSets, searchBody, async (rows, body) => {
        await store.clear();
        await store.put({ fileSets: rows });
        const counted = await store.facets(body, dates);
        assertEquals(counted, { rows: null, facets: modelFacets(rows, body, dates) });
      }),
      { numRuns: Math.ceil(runs / 3) },
    );
  });

  test("facets: counts nothing of more file sets than asked for", async (store) => {
    await store.put({ fileSets: [fileSet(1), fileSet(2), fileSet(3)] });
    assertEquals(await store.facets({}, { most: 2 }), null);
    assert(await store.facets({}, { most: 3 }));
  });

  test("facets: counts all file sets once until one changes", async (store) => {
    const dates = { now: 1_700_000_000_000 };
    const counted = async () => (await store.facets({}, dates))!.facets[0].options[0]?.count;
    await store.put({ fileSets: [fileSet(1)] });
    assert(await store.facets({}, dates) === await store.facets({}, dates));
    await store.put({ fileSets: [fileSet(2)] });
    assertEquals(await counted(), 2);
    await store.clear();
    assertEquals(await counted(), undefined);
  });

  test("facets: counts others than the most frequent values together", async (store) => {
    const sets = Array.from({ length: 15 }, (_, n) => fileSet(n, { owner: `Owner ${n % 12}` }));
    await store.put({ fileSets: [...sets, fileSet(20, { owner: "x".repeat(1000) })] });
    const [owner] = (await store.facets({}, {}))!.facets;
    assertEquals(owner.options.length, 10);
    assertEquals(owner.options.map(({ count }) => count), [2, 2, 2, 1, 1, 1, 1, 1, 1, 1]);
    assertEquals(owner.others, 3);
  });

  test("ended sessions are listed until they expire", async ({ endedSessions }) => {
    const now = 1_800_000_000_000;
    assertEquals(await endedSessions.endedBefore(["a", "b"]), -Infinity);
    await endedSessions.add({ name: "a", before: now, expires: now + 10 }, now);
    await endedSessions.add({ name: "b", before: now + 1, expires: now + 50 }, now);
    await endedSessions.add({ name: "a", before: now + 2, expires: now + 12 }, now + 2);
    assertEquals(await endedSessions.endedBefore(["a", "c"]), now + 2);
    assertEquals(await endedSessions.endedBefore(["b", "a"]), now + 2);
    await endedSessions.add({ name: "c", before: 1, expires: now + 99 }, now + 13);
    assertEquals(await endedSessions.endedBefore(["a"]), -Infinity);
    assertEquals(await endedSessions.endedBefore(["b"]), now + 1);
  });

  test("load puts batch after batch, and reports each", async (store) => {
    const batches = [
      { fileSets: [fileSet(1), fileSet(2)] },
      { fileSets: [fileSet(2, { name: "Changed" }), fileSet(3)] },
      { runs: [{ scheduleId: 5, run: run(1) }] },
    ];
    const written: ChangedRows[] = [];
    await store.load(batches, (each) => void written.push(each));
    assertEquals(written, [
      { added: 2, changed: 0 },
      { added: 1, changed: 1 },
      { added: 1, changed: 0 },
    ]);
    assertEquals((await store.fileSets.search({})).pageContext.total, 3);
  });

  test("load keeps the batches before one that fails", async (store) => {
    const broken = { ...fileSet(2), id: null as unknown as string };
    const batches = [{ fileSets: [fileSet(1)] }, { fileSets: [fileSet(3), broken] }];
    await assertRejects(() => store.load(batches));
    assertEquals((await store.fileSets.search({})).fileSets, [fileSet(1)]);
  });

  test("put replaces a row with the same key, and counts what it did", async (store) => {
    const first = await store.put({ fileSets: [fileSet(1), fileSet(2)] });
    assertEquals(first, { added: 2, changed: 0 });
    const second = await store.put({
      fileSets: [fileSet(1), fileSet(2, { description: undefined }), fileSet(3)],
    });
    assertEquals(second, { added: 1, changed: 1 });
    const { fileSets: rows } = await store.fileSets.search({});
    assertEquals(rows, [fileSet(1), withoutDescription(2), fileSet(3)]);
  });

  test("put does all or nothing", async (store) => {
    const broken = { ...fileSet(2), id: null as unknown as string };
    await assertRejects(() => store.put({ fileSets: [fileSet(1), broken] }));
    assertEquals((await store.fileSets.search({})).pageContext.total, 0);
  });

  test("pages of runs together are the whole history, also after runs change", async (store) => {
    const start = (n: number) => new Date(Date.UTC(2025, 0, 1 + (n >> 2))).toISOString();
    const runs = Array.from({ length: 1400 }, (_, n) => ({
      scheduleId: 5,
      run: run(n * 11 % 1400, { startTime: start(n) }),
    }));
    await store.put({ runs });
    const history = store.reportSchedules.history;
    const all = async () => {
      const ids: number[] = [];
      for (let skip = 0, count = 150; count === 150; skip += count) {
        const page = await history(5, { limit: 150, skip });
        count = page.length;
        ids.push(...page.map(({ id }) => id));
      }
      return ids;
    };
    const ordered = (of: typeof runs) =>
      of.map((each) => each.run)
        .toSorted((a, b) =>
          a.startTime < b.startTime ? 1 : a.startTime > b.startTime ? -1 : a.id - b.id
        )
        .map(({ id }) => id);
    assertEquals(await all(), ordered(runs));
    const newest = { scheduleId: 5, run: run(9000, { startTime: start(8000) }) };
    await store.put({ runs: [newest] });
    assertEquals(await all(), ordered([...runs, newest]));
    assertEquals(await history(5, { skip: 5000 }), []);
  });

  test("does nothing for a signal that is already aborted", async (store) => {
    const signal = AbortSignal.abort(new Error("Gone"));
    await assertRejects(
      () => Promise.resolve(store.fileSets.search({}, { signal })),
      Error,
      "Gone",
    );
    await assertRejects(
      () => Promise.resolve(store.reportSchedules.history(1, { signal })),
      Error,
      "Gone",
    );
  });

  test("stores tokens as hashes, and accepts them until they are revoked", async (store) => {
    const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes, 30));
    const made = (await store.tokens.add("ci", "operator", at(0)))!;
    assert(/^docket_[0-9a-f]{64}$/.test(made));
    assertEquals(await store.tokens.add("ci", "reader", at(1)), undefined);
    await store.tokens.add("another", "reader", at(2));
    assertEquals(await store.tokens.find(made, at(5)), { name: "ci", role: "operator" });
    assert(!await store.tokens.find(`${made}0`, at(6)));
    assert(!await store.tokens.find("", at(6)));
    assert(await store.tokens.revoke("ci", at(7)));
    assert(!await store.tokens.revoke("ci", at(8)));
    assert(!await store.tokens.revoke("nobody", at(8)));
    assert(!await store.tokens.find(made, at(9)));
    const minute = Math.floor(at(5).getTime() / 60_000) * 60_000;
    const [created, revoked] = [at(0), at(7)].map((time) => time.getTime());
    const another = { name: "another", role: "reader", created: at(2).getTime() };
    await eventually(async () =>
      assertEquals(await store.tokens.list(), [
        { ...another, lastUsed: null, revoked: null },
        { name: "ci", role: "operator", created, lastUsed: minute, revoked },
      ])
    );
    await store.clear();
    assertEquals((await store.tokens.list()).length, 2);
  });

  test("answers with the current rows, also to a repeated question", async (store) => {
    await store.put({ fileSets: [fileSet(1)], runs: [{ scheduleId: 5, run: run(1) }] });
    const ask = async () => [
      (await store.fileSets.search()).fileSets.length,
      (await store.reportSchedules.history(5)).length,
    ];
    assertEquals([await ask(), await ask()], [[1, 1], [1, 1]]);
    await store.put({ fileSets: [fileSet(2)] });
    assertEquals(await ask(), [2, 1]);
    await store.put({ runs: [{ scheduleId: 5, run: run(2) }] });
    assertEquals(await ask(), [2, 2]);
    await store.put({ schedules: [6] });
    assertEquals(await store.reportSchedules.history(6), []);
    await store.put({ runs: [{ scheduleId: 6, run: run(1, { status: "failure" }) }] });
    assertEquals((await store.reportSchedules.history(6))[0].status, "failure");
    await store.clear();
    assertEquals((await store.fileSets.search()).fileSets, []);
    await assertRejects(async () => await store.reportSchedules.history(5));
  });

  test("answers in JSON as it does in rows", async (store) => {
    await store.put({
      fileSets: [fileSet(1), fileSet(2)],
      runs: [1, 2].map((id) => ({ scheduleId: 5, run: run(id) })),
    });
    const page = await store.json.fileSets.search({}, { limit: 1 });
    assertEquals(JSON.parse(page), await store.fileSets.search({}, { limit: 1 }));
    const history = await store.json.reportSchedules.history(5);
    assertEquals(JSON.parse(history), await store.reportSchedules.history(5));
  });

  test("newestRuns: reads up to the limit, and says whether there are older runs", async (store) => {
    await store.put({
      runs: [3, 1, 2].map((id) => ({ scheduleId: 5, run: run(id) })),
      schedules: [6],
    });
    const newest = async (scheduleId: number, most: number) => {
      const { runs, hasOlder } = await store.newestRuns(scheduleId, most);
      return [runs.map(({ id }) => id), hasOlder];
    };
    assertEquals(await newest(5, 2), [[1, 2], true]);
    assertEquals(await newest(5, 3), [[1, 2, 3], false]);
    assertEquals(await newest(6, 3), [[], false]);
    await assertRejects(() => store.newestRuns(7, 3), ProblemError, "no report schedule 7");
  });

  test("stores metadata until they are removed", async (store) => {
    await store.put({ metadata: { one: "1", other: "2" } });
    await store.put({ metadata: { one: "3" } });
    assertEquals(await store.metadata("one"), "3");
    await store.put({ metadata: { one: null } });
    assertEquals([await store.metadata("one"), await store.metadata("other")], [undefined, "2"]);
  });

  test("isEmpty until there is a file set or a schedule, and again after clear", async (store) => {
    assert(await store.isEmpty());
    await store.put({ schedules: [5] });
    assert(!await store.isEmpty());
    await store.clear();
    assert(await store.isEmpty());
    await store.put({ fileSets: [fileSet(1)] });
    assert(!await store.isEmpty());
  });
}

function withoutDescription(n: number) {
  const { description: _, ...rest } = fileSet(n);
  return rest;
}
