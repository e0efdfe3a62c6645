import { sql } from "../../../../server/store/database/sql.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { observe } from "../../../../server/observer/tasks/observe_task.ts";
import { watch } from "../../../../server/observer/tasks/watch_task.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { openDatabase } from "../../../../server/store/open.ts";
import { seed } from "../../../../server/store/tasks/seed_task.ts";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import type { Database } from "../../../../server/store/database/database.ts";
import { run } from "../../store/rows.ts";
import { withTasks } from "../../store/tasks/task_context.ts";
import { actorText } from "../../../../lib/judgement/actor.ts";

Deno.test("watch: adds, lists, mutes and removes", () =>
  withTasks(async ({ run }) => {
    const none = await run(watch, "list");
    assertEquals([none.code, none.printed], [
      0,
      "No watched schedules. To watch one: deno task watch add ID",
    ]);
    assertEquals(
      (await run(watch, "add", "101", "--name", "Sales", "--owner", "Finance")).printed,
      "Added schedule 101",
    );
    const plan = ["--cron", "0 6 * * 1-5", "--zone", "Europe/Berlin", "--grace", "20m"];
    assertEquals((await run(watch, "add", "101", ...plan)).printed, "Changed schedule 101");
    assertEquals(
      (await run(watch, "mute", "101", "--until", "2h")).printed,
      "Schedule 101 is muted until 2026-03-10T17:00Z",
    );
    assertEquals((await run(watch, "list")).printed.split("\n"), [
      "ID   NAME   STATE    PLAN                       CHECKED  MUTED UNTIL",
      "101  Sales  unknown  0 6 * * 1-5 Europe/Berlin  never    2026-03-10T17:00Z",
    ]);
    const muted = await run(watch, "mute", "101", "--until", "off", "--json");
    assertEquals(JSON.parse(muted.printed), {
      scheduleId: 101,
      name: "Sales",
      owner: "Finance",
      title: "",
      plan: {
        cron: ["0 6 * * 1-5"],
        zone: "Europe/Berlin",
        graceMs: 1_200_000,
        since: Date.parse("2026-03-10T15:00:00Z"),
      },
      mutedUntil: null,
      polledAt: null,
      failures: 0,
    });
    assertEquals(JSON.parse((await run(watch, "list", "--json")).printed).length, 1);
    assertEquals((await run(watch, "remove", "101")).printed, "Removed schedule 101");
    const again = await run(watch, "remove", "101");
    assertEquals([again.code, again.reported], [1, "Schedule 101 is not watched"]);
  }));

Deno.test("watch: writes down who did what", () =>
  withTasks(async ({ run, dataDir }) => {
    const add = ["add", "101", "--name", "Sales"];
    await run(watch, ...add);
    await run(watch, ...add, "--cron", "0 6 * * *", "--by", "Ada");
    await run(watch, ...add, "--owner", "Finance", "--by", "Ada");
    await run(watch, "mute", "101", "--until", "2h", "--by", "Bob");
    await run(watch, "mute", "101", "--until", "off", "--by", "Bob");
    await run(watch, "remove", "101", "--by", "Cem");
    const database = await openDatabase({ dataDir, databaseUrl: null });
    const done = await observerRecordsOn(database).events.latest(101, 9);
    await database.close();
    assertEquals(done.map(({ kind, actor, note }) => [kind, actor && actorText(actor), note]), [
      ["no longer watched", "Cem (command line)", null],
      ["schedule unmuted", "Bob (command line)", null],
      ["schedule muted", "Bob (command line)", "until 2026-03-10T17:00Z"],
      ["watch changed", "Ada (command line)", null],
      ["plan confirmed", "Ada (command line)", "daily at 06:00, UTC; grace 10 min"],
      ["watched", "somebody (command line)", null],
    ]);
    for (const by of [" ", "x".repeat(101)]) {
      assertEquals((await run(watch, ...add, "--by", by)).code, 2);
    }
    for (const option of ["name", "owner"]) {
      const { code, reported } = await run(watch, "add", "101", `--${option}`, "x".repeat(101));
      assertEquals(code, 2);
      assertStringIncludes(reported, `--${option} must be a name of at most 100 characters`);
    }
  }));

Deno.test("watch: takes ids and ranges, and changes nothing if one of them is wrong", () =>
  withTasks(async ({ run }) => {
    const wrong = await run(watch, "add", "101-103,9-1");
    assertEquals(wrong.code, 2);
    assertStringIncludes(wrong.reported, 'ids and ranges such as 101,105-112, not "9-1"');
    const { printed } = await run(watch, "add", "101-103,105");
    assertEquals(
      printed,
      "Added schedule 101\nAdded schedule 102\nAdded schedule 103\nAdded schedule 105",
    );
    await run(watch, "remove", "101-102,105");
    const { printed: list } = await run(watch, "list", "--json");
    assertEquals(JSON.parse(list).map((each: { scheduleId: number }) => each.scheduleId), [103]);
  }));

Deno.test("watch: says what is wrong", () =>
  withTasks(async ({ run }) => {
    for (
      const [args, message] of [
        [[], "Use add, list, poll, mute or remove"],
        [["add"], "The id of a schedule is missing"],
        [["add", "x"], 'A schedule id is a whole number from 0 to 9007199254740991, not "x"'],
        [["list", "101"], "list takes no id"],
        [["add", "101", "--zone", "UTC"], "--zone needs --cron"],
        [["add", "101", "--cron", "0 6 * * *", "--grace", "soon"], "--grace must be a time"],
        [["add", "101", "--cron", "* * * * *;0 6 * * *"], "--cron must not be due more than 1,440"],
        [["add", "101", "--cron", "0 6 30 2 *"], "--cron is never due"],
        [
          ["add", "101", "--cron", "0 6 * * *", "--grace", "32d"],
          "--grace must be at most 31 days",
        ],
        [["mute", "101"], "--until is required, such as --until 2h"],
        [["remove", "101", "--cron", "0 6 * * *"], "remove takes no --cron"],
        [["list", "--name", "Sales"], "list takes no --name"],
        [
          ["mute", "101", "--until", "2020-01-01T00:00:00Z"],
          "--until must be a time in the future",
        ],
      ] as const
    ) {
      const { code, reported } = await run(watch, ...args);
      assertEquals(code, 2, reported);
      assertStringIncludes(reported, message);
    }
    const { code, printed } = await run(watch, "--help");
    assert(code === 0 && printed.includes("deno task watch add IDS"));
    assert(printed.split("\n").every((line) => line.length <= 100));
  }));

Deno.test("watch: an upstream's watches are kept beside it", () =>
  withTasks(async ({ run, dataDir }) => {
    const { code, reported } = await run(watch, "add", "7");
    assertEquals([code, reported], [
      0,
      "Schedule 7 will not be watched. The observer has no token for the service: set OBSERVER_TOKEN",
    ]);
    assertEquals(
      [...Deno.readDirSync(dataDir)].map(({ name }) => name).includes("observer.sqlite"),
      true,
    );
  }, { SERVICE_BASE_URL: "https://service.example.com", SESSION_KEY: "k".repeat(32) }));

Deno.test("watch: add warns of an unknown schedule, and of a plan that the runs do not fit", () =>
  withTasks(async ({ run }) => {
    await run(seed, "--file-sets", "0", "--schedules", "1", "--runs", "60");
    const unknown = await run(watch, "add", "999");
    assertEquals(unknown.code, 0);
    assertEquals([unknown.printed, unknown.reported], [
      "Added schedule 999",
      "The service has no schedule 999 so far. If the id is wrong: deno task watch remove 999",
    ]);
    const add = ["add", "101", "--cron"];
    const fitting = await run(watch, ...add, "0 6 * * *", "--grace", "20m");
    assertEquals([fitting.code, fitting.reported], [0, ""]);
    const early = await run(watch, ...add, "0 6 * * *", "--zone", "Asia/Tokyo", "--grace", "20m");
    assertEquals([early.code, early.printed], [0, "Changed schedule 101"]);
    assertEquals(
      early.reported,
      "Does the plan fit? None of the newest 50 runs started as planned (daily at 06:00, " +
        "Asia/Tokyo); the runs look like daily at 06:00, UTC",
    );
    assertEquals(
      (await run(watch, ...add, "0 6 * * 1")).reported.slice(0, 43),
      "Does the plan fit? Of the newest 50 runs, o",
    );
  }));

Deno.test("watch: add warns of a grace that the next run cuts", () =>
  withTasks(async ({ run }) => {
    const add = ["add", "101", "--cron", "0 6 * * *", "--grace"];
    assertStringIncludes(
      (await run(watch, ...add, "30h")).reported,
      "The grace of 30 h is cut to 22 h 48 min: it has to end before the next run is due",
    );
    assert(!(await run(watch, ...add, "22h")).reported.includes("is cut"));
  }));

Deno.test("watch: list shows the title of the newest run where nobody gave a name", () =>
  withTasks(async ({ run }) => {
    await run(seed, "--file-sets", "0", "--schedules", "2", "--runs", "20");
    await run(watch, "add", "101");
    await run(watch, "add", "102", "--name", "Claims");
    await run(watch, "add", "999");
    const { printed: polled } = await run(observe, "--once");
    assertStringIncludes(polled, "unreadable: 999");
    const { printed } = await run(watch, "list");
    assertMatch(printed, /^101 {2}Daily revenue .* 0 6 \* \* \* UTC \(inferred\) /m);
    assertMatch(printed, /^999 .* unreadable since 2026-03-10T15:00Z .* failed$/m);
    assertStringIncludes(printed, "102  Claims");
  }));

Deno.test("watch: poll and an import have the schedules concerned polled at once", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    await runTask(watch, "add", "5");
    await runTask(watch, "add", "6");
    const later = Date.now() + 3_600_000;
    /** The schedules that are due after some work, if none was before. */
    async function dueAfter(work: () => Promise<unknown>): Promise<number[]> {
      const inDatabase = async <T>(ask: (database: Database) => Promise<T>) => {
        const database = await openDatabase({ dataDir, databaseUrl: null });
        try {
          return await ask(database);
        } finally {
          await database.close();
        }
      };
      await inDatabase((database) =>
        database.write(sql`UPDATE known_schedules SET due = ${later}`)
      );
      await work();
      const watches = await inDatabase((database) => observerRecordsOn(database).watches.list());
      return watches.filter(({ due }) => due < later).map(({ scheduleId }) => scheduleId);
    }
    assertEquals(await dueAfter(() => runTask(watch, "poll", "5")), [5]);
    assertEquals((await runTask(watch, "poll", "7")).reported, "Schedule 7 is not watched");
    const file = `${dataDir}/runs.ndjson`;
    await Deno.writeTextFile(file, JSON.stringify({ scheduleId: 6, ...run(1) }));
    assertEquals(await dueAfter(() => runTask(importFile, file)), [6]);
  }));
