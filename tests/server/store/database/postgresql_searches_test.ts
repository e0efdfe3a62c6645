/** Searches on PostgreSQL that last: who else is served, and what becomes of those nobody waits for. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
// @ts-types="@types/pg"
import pg from "pg";
import { eventually } from "../../../eventually.ts";
import { DatabaseError } from "../../../../server/store/database/database_error.ts";
import type { Store } from "../../../../server/store/store.ts";
import { fileSet, run } from "../rows.ts";
import { server } from "../postgres/shared.ts";
import { openPostgresStore } from "../open_stores.ts";

/** The connections that the store has for searches. */
const SEARCHES = 5;

/** A store on which every search takes a minute. */
async function withSlowSearches(
  deadlineMs: number,
  work: (store: Store, running: () => Promise<number>, url: string) => Promise<void>,
): Promise<void> {
  const url = await server.createDatabase();
  const store = await openPostgresStore({ url, deadlineMs });
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    await store.put({ fileSets: [fileSet(1)], runs: [{ scheduleId: 5, run: run(1) }] });
    await other.query("ALTER TABLE file_sets RENAME TO slow_file_sets");
    await other.query(
      "CREATE VIEW file_sets AS SELECT * FROM slow_file_sets WHERE (SELECT true FROM pg_sleep(60))",
    );
    await work(store, async () => {
      const { rows } = await other.query(
        "SELECT count(*)::integer AS running FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
      );
      return rows[0].running;
    }, url);
  } finally {
    await other.end();
    await store.close();
  }
}

/** A search unlike the others: the same one several times is counted once. */
async function search(store: Store, at: number, signal: AbortSignal): Promise<unknown> {
  const filters = [{ field: "fileCount", operator: "EQUALS", value: [String(at)] }];
  return await store.fileSets.search({ filters }, { signal });
}

Deno.test("openPostgres: a search that nobody waits for is cancelled", () =>
  withSlowSearches(60_000, async (store, running) => {
    const left = new AbortController();
    const searches = Array.from(
      { length: SEARCHES + 2 },
      (_, at) => assertRejects(() => search(store, at, left.signal), RangeError, "Left"),
    );
    await eventually(async () => assertEquals(await running(), SEARCHES));
    left.abort(new RangeError("Left"));
    await Promise.all(searches);
    await eventually(async () => assertEquals(await running(), 0));
  }));

Deno.test("openPostgres: searches that last leave connections to tokens and histories", () =>
  withSlowSearches(60_000, async (store, running) => {
    const left = new AbortController();
    const searches = Array.from(
      { length: 2 * SEARCHES },
      (_, at) => assertRejects(() => search(store, at, left.signal)),
    );
    await eventually(async () => assertEquals(await running(), SEARCHES));
    // As /readyz does.
    assertEquals(await store.hasSchedule(5), true);
    const token = await store.tokens.add("ci", "reader", new Date());
    assert(await store.tokens.find(token!, new Date()));
    assertEquals(await store.reportSchedules.history(5), [run(1)]);
    const error = await assertRejects(async () => await store.fileSets.search(), DatabaseError);
    assertEquals([error.kind, error.problem.retryAfterSeconds], ["busy", 5]);
    assertStringIncludes(error.message, "connections for searches");
    left.abort();
    await Promise.all(searches);
  }));

Deno.test("openPostgres: a search ends at its deadline, however many statements it has", () =>
  withSlowSearches(1000, async (store, running) => {
    const error = await assertRejects(async () => await store.fileSets.search(), DatabaseError);
    assertEquals(error.kind, "timeout");
    await eventually(async () => assertEquals(await running(), 0));
  }));

/** How each writer ends. */
const COMMIT = "UPDATE data_versions SET version = gen_random_uuid(); COMMIT";

Deno.test("openPostgres: writes wait for no others, and each makes answers anew when it is done", async () => {
  const url = await server.createDatabase();
  const store = await openPostgresStore({ url });
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    const [first, second, third] = [1, 2, 3].map((n) => ({
      fileSets: [fileSet(n)],
      runs: [{ scheduleId: 5, run: run(n) }],
    }));
    await store.put(first);
    const counts = async () => [
      (await store.fileSets.search()).pageContext.total,
      (await store.reportSchedules.history(5)).length,
    ];
    await other.query("SET idle_in_transaction_session_timeout = '20s'; BEGIN");
    await other.query(`UPDATE file_set_json SET json = replace(json, 'Finance', 'Legal');
      DELETE FROM runs WHERE run_id = 1`);
    await store.put(second);
    assertEquals(await counts(), [2, 2]);
    await other.query(COMMIT);
    assertEquals(await counts(), [2, 1]);
    assertEquals((await store.fileSets.search()).fileSets[0].owner, "Legal");
    // Whichever of two commits last counts, too.
    await other.query("BEGIN; DELETE FROM file_sets WHERE id LIKE '%2'");
    await store.put(third);
    assertEquals(await counts(), [3, 2]);
    await other.query(COMMIT);
    assertEquals(await counts(), [2, 2]);
  } finally {
    await other.end().catch(() => {});
    await store.close();
  }
});
