/** What every backend must answer: the same tests for each database, and for each way to it. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isProblemError } from "../../../server/http/problem.ts";
import { LIMITS } from "../../../server/store/file_sets/search_body.ts";
import { FIELDS } from "../../../server/store/file_sets/fields.ts";
import type { Store } from "../../../server/store/store.ts";
import { fileSets, page, searchBody } from "./arbitrary.ts";
import { modelSearch } from "./model.ts";
import { fileSet, run } from "./rows.ts";

/** Gives the work an empty store, and takes it back. */
export type WithStore = (work: (store: Store) => Promise<void>) => Promise<void>;

/**
 * Registers the tests of what a backend answers: for each database, and for each way to it. The store
 * behind it is only filled.
 */
export function testBackendContract(backend: string, withStore: WithStore, runs = 300): void {
  const test = (name: string, work: (store: Store) => Promise<void>) =>
    Deno.test(`${backend}: ${name}`, () => withStore(work));

  test("answers any search as matchFileSets does", async (store) => {
    await fc.assert(
      fc.asyncProperty(fileSets, searchBody, page, async (rows, body, options) => {
        await store.clear();
        await store.put({ fileSets: rows });
        assertEquals(await store.fileSets.search(body, options), modelSearch(rows, body, options));
      }),
      { numRuns: runs },
    );
  });

  test("gives each field of a file set, in the interface's order", async (store) => {
    await store.put({ fileSets: [fileSet(1)] });
    const page = await store.fileSets.search({});
    assertEquals(JSON.stringify(page.fileSets), JSON.stringify([fileSet(1)]));
  });

  test("LIKE finds a row's current text only", async (store) => {
    const count = async (value: string) => {
      const search = { filters: [{ field: "name", operator: "LIKE", value: [value] }] };
      return (await store.fileSets.search(search)).pageContext.total;
    };
    await store.put({
      fileSets: [fileSet(1, { name: "Invoices" }), fileSet(2, { name: "Claims" })],
    });
    assertEquals([await count("invo"), await count("claims")], [1, 1]);
    await store.put({ fileSets: [fileSet(1, { name: "Contracts" })] });
    assertEquals([await count("invo"), await count("contra"), await count("CLAIMS")], [0, 1, 1]);
    await store.clear();
    assertEquals([await count("contra"), await count("claims")], [0, 0]);
  });

  test("answers a search with as many filters and values as are allowed", async (store) => {
    await store.put({
      fileSets: [fileSet(1, { name: "needle 7" }), fileSet(2, { name: "zebra" })],
    });
    const values = Array.from({ length: LIMITS.values }, (_, n) => `needle ${n}`);
    for (const operator of ["EQUALS", "LIKE", "LESS_THAN"]) {
      for (const not of [false, true]) {
        const one = { filters: [{ field: "name", operator, value: values, not }] };
        assertEquals((await store.fileSets.search(one)).pageContext.total, 1);
      }
    }
    const short = values.slice(0, LIMITS.scannedValues)
      .map((_, n) => String.fromCodePoint(0x4e00 + n));
    const few = { filters: [{ field: "name", operator: "LIKE", value: short }] };
    assertEquals((await store.fileSets.search(few)).pageContext.total, 0);
    const many = {
      filters: values.slice(0, LIMITS.filters)
        .map(() => ({ field: "name", operator: "LIKE", value: ["needle"] })),
      dateFilters: values.slice(0, LIMITS.dateFilters)
        .map(() => ({ field: "created", start: "2000-01-01T00:00:00Z" })),
      fieldSort: FIELDS.map((field) => ({ field: field.name, order: "DESC" })),
    };
    assertEquals((await store.fileSets.search(many)).pageContext.total, 1);
  });

  test("finds parts of ids, and nothing that no id can contain", async (store) => {
    await store.put({ fileSets: [fileSet(1), fileSet(2)] });
    const count = async (value: string[], not = false) => {
      const filters = [{ field: "id", operator: "LIKE", value, not }];
      const { pageContext, fileSets } = await store.fileSets.search({ filters });
      assertEquals(fileSets.length, pageContext.total);
      return pageContext.total;
    };
    assertEquals([await count(["-4000-"]), await count(["0002"]), await count(["A"])], [2, 1, 0]);
    const impossible = ["zebra", "é"];
    assertEquals([await count(impossible), await count(impossible, true)], [0, 2]);
    assertEquals(await count([...impossible, "0002"]), 1);
  });

  test("gives each field of a run, in the interface's order, but for a missing end", async (store) => {
    const runs = [run(1), run(2, { endTime: undefined })];
    await store.put({ runs: runs.map((each) => ({ scheduleId: 5, run: each })) });
    const history = await store.reportSchedules.history(5);
    assertEquals(JSON.stringify(history), JSON.stringify(runs));
  });

  test("gives runs newest first, and ties by id", async (store) => {
    const times = ["2025-01-02T00:00:00.000Z", "2025-01-01T00:00:00.000Z"];
    const runs = [4, 3, 2, 1].map((id) => run(id, { startTime: times[id % 2] }));
    await store.put({ runs: runs.map((each) => ({ scheduleId: 5, run: each })) });
    // Another schedule's, with the same id.
    await store.put({ runs: [{ scheduleId: 6, run: run(1, { status: "failure" }) }] });
    const ids = async (options = {}) =>
      (await store.reportSchedules.history(5, options)).map((each) => each.id);
    assertEquals(await ids(), [2, 4, 1, 3]);
    assertEquals(await ids({ limit: 2, skip: 1 }), [4, 1]);
    assertEquals(await ids({ skip: 4 }), []);
    assertEquals((await store.reportSchedules.history(6)).length, 1);
  });

  test("distinguishes a schedule without runs from one that does not exist", async (store) => {
    await store.put({ schedules: [5] });
    assertEquals(await store.reportSchedules.history(5), []);
    const error = await store.reportSchedules.history(6).then(() => undefined, (error) => error);
    assert(isProblemError(error));
    assertEquals(error.problem.status, 404);
  });
}
