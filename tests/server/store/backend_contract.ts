/** What every backend must answer: the same tests for each database, and for each way to it. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isProblemError } from "../../../server/http/problem.ts";
import { LIMITS } from "../../../server/store/file_sets/search_body.ts";
import { FIELDS } from "../../../server/store/file_sets/fields.ts";
import type { Store } from "../../../server/store/store.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { fileSets, history, historyPage, page, searchBody } from "./arbitrary.ts";
import { modelSearch } from "./model.ts";
import { fileSet } from "./rows.ts";

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
        // Every other row is another one's at first, so that its texts are replaced.
        const before = rows.map((row, at) => at % 2 === 0 ? row : { ...rows[at - 1], id: row.id });
        await store.put({ fileSets: before });
        await store.put({ fileSets: rows });
        const answer = await store.fileSets.search(body, options);
        assertEquals(JSON.stringify(answer), JSON.stringify(modelSearch(rows, body, options)));
      }),
      { numRuns: runs },
    );
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

  test("gives any page of a history newest first, with ties by id, as its runs came", async (store) => {
    await fc.assert(
      fc.asyncProperty(history, history, historyPage, async (before, later, options) => {
        await store.clear();
        // Another schedule's runs have the same ids.
        await store.put({ runs: later.map((run) => ({ scheduleId: 6, run })), schedules: [5] });
        for (const each of [before, later]) {
          await store.put({ runs: each.map((run) => ({ scheduleId: 5, run })) });
        }
        const runs = new Map([...before, ...later].map((run) => [run.id, run]));
        const { limit = 100, skip = 0 } = options;
        const expected = [...runs.values()].sort(byStart).slice(skip, skip + limit);
        const answer = await store.reportSchedules.history(5, options);
        assertEquals(JSON.stringify(answer), JSON.stringify(expected));
      }),
      { numRuns: Math.ceil(runs / 3) },
    );
  });

  test("distinguishes a schedule without runs from one that does not exist", async (store) => {
    await store.put({ schedules: [5] });
    assertEquals(await store.reportSchedules.history(5), []);
    const error = await store.reportSchedules.history(6).then(() => undefined, (error) => error);
    assert(isProblemError(error));
    assertEquals(error.problem.status, 404);
  });
}

/** Newest first, then by id; those without a start last. */
function byStart(a: ReportRun, b: ReportRun): number {
  return (timeOf(b.startTime) ?? -Infinity) - (timeOf(a.startTime) ?? -Infinity) || a.id - b.id;
}
