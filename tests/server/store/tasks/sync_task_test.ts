import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fillWithSample } from "../../../../server/store/sample/fill.ts";
import type { Store } from "../../../../server/store/store.ts";
import { sync } from "../../../../server/store/tasks/sync_task.ts";
import { fileSet, run } from "../rows.ts";
import { TOKEN, type Upstream, withUpstream } from "../sync/upstream.ts";
import { inStore, type TaskRunner, withTasks } from "./task_context.ts";

interface Setup extends TaskRunner {
  readonly upstream: Upstream;
  /** Looks into the store that was synced into. */
  inStore<T>(work: (store: Store) => PromiseLike<T>): Promise<T>;
  /** What the upstream was asked for since the last time. */
  asked(): string[];
}

function withSync(work: (setup: Setup) => Promise<void>): Promise<void> {
  return withUpstream((upstream) =>
    withTasks(async ({ dataDir, run }) => {
      let before = 0;
      await work({
        dataDir,
        run,
        upstream,
        inStore: (work) => inStore(dataDir, work),
        asked() {
          const since = upstream.requests.slice(before);
          before = upstream.requests.length;
          return since;
        },
      });
    }, { SYNC_FROM_URL: upstream.url, SYNC_FROM_TOKEN: TOKEN })
  );
}

function runsOn(days: readonly number[], members: Parameters<typeof run>[1] = {}) {
  return days.map((day) => ({
    scheduleId: 12,
    run: run(day, {
      startTime: new Date(Date.UTC(2025, 0, day, 6)).toISOString(),
      endTime: new Date(Date.UTC(2025, 0, day, 7)).toISOString(),
      ...members,
    }),
  }));
}

const days = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const historyOf = (asked: readonly string[]) => asked.filter((path) => path.includes("history"));

Deno.test("sync: interrupted, it copies everything the next time, however much it had", () =>
  withSync(async ({ upstream, run, inStore }) => {
    const fileSets = Array.from({ length: 2500 }, (_, n) => fileSet(n));
    await upstream.store.put({ fileSets, runs: runsOn(days(1, 1200)) });
    for (const refused of [/search\?.*offset=2000/, /history\?.*skip=1100/]) {
      upstream.refused = refused;
      assert((await run(sync, "--schedules", "12")).code !== 0);
    }
    upstream.refused = undefined;
    const { printed } = await run(sync);
    assertStringIncludes(printed, "File sets: 2500 read: 0 new, 0 changed, 2500 unchanged");
    assertStringIncludes(printed, "Runs of 12: 1200 read: 200 new, 0 changed, 1000 unchanged");
    assertEquals(
      await inStore((store) => store.reportSchedules.history(12, { skip: 900 })),
      await upstream.store.reportSchedules.history(12, { skip: 900 }),
    );
  }));

Deno.test("sync: interrupted between new runs, it leaves none of them out the next time", () =>
  withSync(async ({ upstream, run, inStore }) => {
    await upstream.store.put({ runs: runsOn(days(1, 100)) });
    await run(sync, "--schedules", "12");
    await upstream.store.put({ runs: runsOn(days(101, 1500)) });
    upstream.refused = /history\?.*skip=1100/;
    assert((await run(sync)).code !== 0);
    upstream.refused = undefined;
    const { printed } = await run(sync);
    assertStringIncludes(printed, "Runs of 12: 1500 read: 400 new, 0 changed, 1100 unchanged");
    assertEquals((await inStore((store) => store.runTimes(12))).length, 1500);
  }));

Deno.test("sync: copies every file set, and the runs of the schedules named", () =>
  withSync(async ({ upstream, run, inStore }) => {
    await fillWithSample(upstream.store, { fileSets: 250, schedules: 2, runs: 120 });
    const { code, printed, reported } = await run(sync, "--schedules", "101,102");
    assertEquals(code, 0);
    assertEquals(reported.trim().split("\n"), [
      "250 file sets read",
      "120 runs of 101 read",
      "120 runs of 102 read",
    ]);
    assertEquals(printed.split("\n"), [
      "File sets: 250 read: 250 new, 0 changed, 0 unchanged, 0 rejected",
      "Runs of 101: 120 read: 120 new, 0 changed, 0 unchanged, 0 rejected",
      "Runs of 102: 120 read: 120 new, 0 changed, 0 unchanged, 0 rejected",
    ]);
    await inStore(async (store) => {
      for (const body of [{}, { fieldSort: [{ field: "name", order: "DESC" }] }]) {
        const pages = [upstream.store, store].map((each) =>
          each.fileSets.search(body, { limit: 500 })
        );
        const [one, two] = await Promise.all(pages);
        assertEquals(one, two);
      }
      for (const id of [101, 102]) {
        assertEquals(
          await store.reportSchedules.history(id, { limit: 500 }),
          await upstream.store.reportSchedules.history(id, { limit: 500 }),
        );
      }
    });
  }));

Deno.test("sync: says that it copied no runs when no schedule was ever named", () =>
  withSync(async ({ run }) => {
    const hint = "No runs were copied: name their schedules, such as --schedules 12,15";
    const { code, reported } = await run(sync);
    assertEquals(code, 0);
    assertStringIncludes(reported, hint);
    await run(sync, "--schedules", "12");
    assert(!(await run(sync)).reported.includes(hint));
  }));

Deno.test("sync: the second time asks for new runs only, and remembers the schedules", () =>
  withSync(async ({ upstream, run, asked, inStore }) => {
    await upstream.store.put({ runs: runsOn(days(1, 250)) });
    await run(sync, "--schedules", "12");
    assertEquals(historyOf(asked()).length >= 3, true);
    await upstream.store.put({ runs: runsOn(days(251, 255)) });
    const { printed } = await run(sync);
    assertStringIncludes(printed, "5 new");
    assertEquals(historyOf(asked()), [
      "/api/content/v1/reportschedules/12/history?limit=100&skip=0",
    ]);
    assertEquals(
      (await inStore((store) => store.reportSchedules.history(12, { limit: 500 }))).length,
      255,
    );
  }));

Deno.test("sync: reads back to a run that had not finished, but no further than 30 days", () =>
  withSync(async ({ upstream, run: runTask, asked, inStore }) => {
    const runsOf = (ids: readonly number[], members = {}) =>
      ids.map((id) => ({
        scheduleId: 12,
        run: run(id, {
          startTime: new Date(Date.UTC(2025, 0, 1, 6 * id)).toISOString(),
          endTime: new Date(Date.UTC(2025, 0, 1, 6 * id + 1)).toISOString(),
          ...members,
        }),
      }));
    const open = { endTime: undefined, status: "running" };
    await upstream.store.put({ runs: runsOf(days(1, 300)) });
    await upstream.store.put({ runs: runsOf([100, 200], open) });
    const options = ["--page-size", "10"];
    await runTask(sync, "--schedules", "12", ...options);
    asked();
    await upstream.store.put({ runs: runsOf([100, 200, 301]) });
    assertStringIncludes((await runTask(sync, ...options)).printed, "1 new, 1 changed");
    assertEquals(historyOf(asked()).length, 11);
    const runs = await inStore((store) => store.reportSchedules.history(12, { limit: 500 }));
    assertEquals(runs.filter((each) => each.status === "running").map(({ id }) => id), [100]);
  }));

/** A run that shows up after newer ones were copied. */
const lateRun = (id: number, day: number) => ({
  scheduleId: 12,
  run: run(id, { startTime: new Date(Date.UTC(2025, 0, day, 18)).toISOString() }),
});

Deno.test("sync: takes a run that shows up late, and with --full one that is older than a week", () =>
  withSync(async ({ upstream, run, inStore, asked }) => {
    await upstream.store.put({ runs: runsOn(days(1, 400)) });
    await run(sync, "--schedules", "12");
    await upstream.store.put({ runs: [lateRun(1000, 390), lateRun(1001, 100)] });
    asked();
    assertStringIncludes((await run(sync)).printed, "1 new");
    assertEquals(historyOf(asked()).length, 1);
    assertStringIncludes((await run(sync, "--full")).printed, "1 new");
    const copied = await inStore((store) => store.reportSchedules.history(12, { limit: 1000 }));
    assertEquals(copied, await upstream.store.reportSchedules.history(12, { limit: 1000 }));
  }));

Deno.test("sync: counts the rows that the service no longer has, and leaves them", () =>
  withSync(async ({ upstream, run, inStore }) => {
    const fileSets = [fileSet(1), fileSet(2), fileSet(3)];
    await upstream.store.put({ fileSets, runs: runsOn(days(1, 10)) });
    await run(sync, "--schedules", "12");
    await upstream.store.clear();
    await upstream.store.put({ fileSets: fileSets.slice(1), runs: runsOn([1, 2, 4, 5, 9, 10]) });
    const { printed } = await run(sync);
    assertStringIncludes(
      printed,
      "File sets: 2 read: 0 new, 0 changed, 2 unchanged, 0 rejected, 1 no longer at the service",
    );
    assertStringIncludes(
      printed,
      "Runs of 12: 6 read: 0 new, 0 changed, 6 unchanged, 0 rejected, 4 no longer at the service",
    );
    assertEquals((await inStore((store) => store.reportSchedules.history(12))).length, 10);
    await upstream.store.put({ fileSets, runs: runsOn(days(1, 10)) });
    assertEquals(/no longer/.test((await run(sync)).printed), false);
  }));

Deno.test("sync: reads a history whole each time when it is not newest first", () =>
  withSync(async ({ upstream, run, inStore }) => {
    upstream.order = "oldest first";
    await upstream.store.put({ runs: runsOn(days(1, 150)) });
    await run(sync, "--schedules", "12");
    await upstream.store.put({ runs: runsOn([151, 3], { status: "failure" }) });
    const { printed } = await run(sync);
    assertStringIncludes(printed, "151 read: 1 new, 1 changed");
    assertEquals(
      (await inStore((store) => store.reportSchedules.history(12, { limit: 500 }))).length,
      151,
    );
  }));

Deno.test("sync: names rows that it can't store, and stores the others", () =>
  withSync(async ({ upstream, run }) => {
    await upstream.store.put({
      fileSets: [fileSet(1), fileSet(2, { created: "2025-02-30T00:00:00Z" })],
    });
    const { code, printed, reported } = await run(sync);
    assertEquals(code, 1);
    assertStringIncludes(printed, "2 read: 1 new, 0 changed, 0 unchanged, 1 rejected");
    assertStringIncludes(reported, "created is a date or a time that does not exist");
  }));

Deno.test("sync: says which schedules the service does not have or give, and copies the others", () =>
  withSync(async ({ upstream, run }) => {
    await upstream.store.put({ schedules: [7], runs: runsOn([1]) });
    upstream.refused = /schedules\/5\//;
    const { code, printed, reported } = await run(sync, "--schedules", "99,5,7,12");
    assertEquals(code, 1);
    assertStringIncludes(reported, "no report schedule 99");
    assertStringIncludes(reported, "does not let this token read report schedule 5");
    assertStringIncludes(printed, "Runs of 7: 0 read");
    assertStringIncludes(printed, "Runs of 12: 1 read");
    // A mistyped id is gone once the schedules are named again.
    await run(sync, "--schedules", "7");
    const again = await run(sync);
    assertEquals([again.code, again.reported.includes("schedule 99")], [0, false]);
    assert(!again.printed.includes("Runs of 12"));
  }));

Deno.test("sync: says what is missing, or what the service says, without its token", async () => {
  await withTasks(async ({ run }) => {
    assertStringIncludes((await run(sync)).reported, "SYNC_FROM_URL is not set");
  });
  await withTasks(async ({ run }) => {
    assertStringIncludes((await run(sync)).reported, "SYNC_FROM_TOKEN is not set");
  }, { SYNC_FROM_URL: "http://localhost:1" });
  await withTasks(async ({ run }) => {
    assertStringIncludes((await run(sync)).reported, "SYNC_FROM_URL");
  }, { SYNC_FROM_URL: "localhost", SYNC_FROM_TOKEN: "x" });
  await withUpstream((upstream) =>
    withTasks(async ({ run }) => {
      const { code, reported } = await run(sync);
      assertEquals(code, 1);
      assertStringIncludes(reported, "401");
      assertStringIncludes(reported, `: SYNC_FROM_TOKEN was rejected by ${upstream.url}; run`);
      assert(!reported.includes("another-token"));
    }, { SYNC_FROM_URL: upstream.url, SYNC_FROM_TOKEN: "another-token" })
  );
});
