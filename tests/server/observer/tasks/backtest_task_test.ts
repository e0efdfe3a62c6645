import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parsePlan } from "../../../../lib/judgement/plans/parse.ts";
import { DAY } from "../../../../lib/time_units.ts";
import { backtest } from "../../../../server/observer/tasks/backtest_task.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { openDatabase } from "../../../../server/store/open.ts";
import { run as row } from "../../store/rows.ts";
import { watchIn, withTasks } from "../../store/tasks/task_context.ts";

const FIRST = Date.parse("2026-02-01T06:00:00Z");

/** A run a day to 10 March 2026, but none on 2 March, and one 40 minutes late on 5 March. */
const RUNS = Array.from({ length: 38 }, (_, day) => {
  const start = FIRST + day * DAY + (day === 32 ? 40 * 60_000 : 1000);
  return {
    id: day + 1,
    status: "success",
    automated: true,
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + 60_000).toISOString(),
  };
}).filter((_, day) => day !== 29);

const UPSTREAM = { SERVICE_BASE_URL: "https://service.example.com", SESSION_KEY: "k".repeat(32) };

/** Stores the runs of schedule 7 beside another service. */
async function copyRuns(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir, databaseUrl: null }, { file: "observer.sqlite" });
  const stored = RUNS.map((run) => ({ id: run.id, start: Date.parse(run.startTime), run }));
  const { runs, commit } = observerRecordsOn(database);
  await commit(await runs.changeSteps(7, { put: stored }, Date.now()));
  await database.close();
}

const confirmed = (grace: string) => ({
  plan: parsePlan({ cron: "0 6 * * *", grace }, Date.parse("2026-03-10T15:00:00Z")),
});

const PLAN = ["--cron", "0 6 * * *", "--zone", "UTC"];

Deno.test("backtest: what would have been reported, and how another grace changes it", () =>
  withTasks(async ({ run, dataDir }) => {
    const none = await run(backtest, "7");
    assertEquals([none.code, none.reported], [
      1,
      "No runs of schedule 7 are stored: watch it first",
    ]);
    await copyRuns(dataDir);
    const overdue = async (...args: string[]) => {
      const { code, printed } = await run(backtest, "7", ...args, "--json");
      assertEquals(code, 0);
      const { incidents } = JSON.parse(printed);
      return incidents.filter(({ code }: { code: string }) => code === "overdue")
        .map(({ opened }: { opened: string }) => opened.slice(0, 16));
    };
    assertEquals(await overdue(...PLAN, "--grace", "10m"), [
      "2026-03-05T06:10",
      "2026-03-02T06:10",
    ]);
    assertEquals(await overdue(...PLAN, "--grace", "60m"), ["2026-03-02T07:00"]);
    const nothing = await run(backtest, "7", ...PLAN, "--since", "2026-03-06");
    assertEquals([nothing.code, nothing.printed.includes(": 0 incidents")], [0, true]);
    const asked = await run(backtest, "7", ...PLAN, "--json");
    const words = (await run(backtest, "7", ...PLAN)).printed;
    const { fit } = JSON.parse(asked.printed);
    assertStringIncludes(words, `fits ${fit.fitting} of the newest ${fit.runs} runs`);
    assertEquals(await overdue(...PLAN, "--grace", "10m", "--since", "2026-03-04"), [
      "2026-03-05T06:10",
    ]);
    await watchIn(dataDir, [7], confirmed("60m"), "observer.sqlite");
    assertEquals(await overdue(), ["2026-03-02T07:00"]);
    const { printed } = await run(backtest, "7");
    assertStringIncludes(printed, "37 runs, daily at 06:00, UTC (confirmed): 1 incident\n");
    assertStringIncludes(printed, "The plan fits 37 of the newest 37 runs\n");
    assertStringIncludes(
      (await run(backtest, "7", "--cron", "0 9 * * *")).printed,
      "fits 0 of the",
    );
    assertStringIncludes(printed, "OPENED             OVER               SEVERITY  CODE");
    assertStringIncludes(printed, "2026-03-02T07:00Z  2026-03-03T06:00Z");
  }, UPSTREAM));

Deno.test("backtest: says which incidents were marked as false, and until when it is muted", () =>
  withTasks(async ({ run, dataDir }) => {
    await copyRuns(dataDir);
    await watchIn(dataDir, [7], confirmed("10m"), "observer.sqlite");
    const database = await openDatabase({ dataDir, databaseUrl: null }, {
      file: "observer.sqlite",
    });
    const falseIncidents = [`overdue-${Date.parse("2026-03-05T06:00:00Z")}`];
    const mutedUntil = Date.parse("2027-01-01T00:00:00Z");
    await observerRecordsOn(database).watches.change(7, { falseIncidents, mutedUntil }, FIRST);
    await database.close();
    const { printed } = await run(backtest, "7");
    assertStringIncludes(printed, "(confirmed): 2 incidents, 1 marked as false\n");
    assertStringIncludes(printed, "Muted until 2027-01-01T00:00Z: nothing is sent before then\n");
    assertStringIncludes(printed, "SINCE              MARKED\n");
    assertStringIncludes(printed, "2026-03-05T06:00Z  false\n");
    const json = JSON.parse((await run(backtest, "7", "--json")).printed);
    assertEquals(
      json.incidents.map(({ isFalse }: { isFalse: boolean }) => isFalse),
      [true, false],
    );
  }, UPSTREAM));

Deno.test("backtest: leaves out what somebody planned", () =>
  withTasks(async ({ run, dataDir }) => {
    await copyRuns(dataDir);
    await watchIn(dataDir, [7], confirmed("60m"), "observer.sqlite");
    const database = await openDatabase({ dataDir, databaseUrl: null }, {
      file: "observer.sqlite",
    });
    const pauses = [{ from: FIRST + 29 * DAY - 1, to: FIRST + 29 * DAY + 1 }];
    await observerRecordsOn(database).watches.change(7, { pauses }, FIRST);
    await database.close();
    const { printed } = await run(backtest, "7", "--json");
    assertEquals(JSON.parse(printed).incidents, []);
  }, UPSTREAM));

Deno.test("backtest: replays the embedded service's runs, and says where there are none", () =>
  withTasks(async ({ run, dataDir }) => {
    const file = `${dataDir}/runs.ndjson`;
    await Deno.writeTextFile(
      file,
      RUNS.map((each) => JSON.stringify({ ...row(each.id), ...each })).join("\n") + "\n",
    );
    assertEquals((await run(importFile, "--schedule", "7", file)).code, 0);
    assertStringIncludes(
      (await run(backtest, "7")).printed,
      "37 runs, daily at 06:00, UTC (inferred)",
    );
    const none = await run(backtest, "8");
    assertEquals([none.code, none.reported], [1, "The service has no schedule 8"]);
  }));

Deno.test("backtest: says what is wrong", () =>
  withTasks(async ({ run }) => {
    for (
      const [args, message] of [
        [[], "The id of a schedule is missing"],
        [["x"], 'A schedule id is a whole number from 0 to 9007199254740991, not "x"'],
        [["7", "--since", "soon"], "--since must be a day such as 2026-01-05"],
        [["7", "--grace", "20m"], "--grace needs --cron"],
        [["7", "--cron", "0 25 * * *"], "the hour must be 0 to 23"],
      ] as const
    ) {
      const { code, reported } = await run(backtest, ...args);
      assertEquals(code, 2, reported);
      assertStringIncludes(reported, message);
    }
    const { code, printed } = await run(backtest, "--help");
    assert(code === 0 && printed.includes("deno task backtest ID"));
  }));
