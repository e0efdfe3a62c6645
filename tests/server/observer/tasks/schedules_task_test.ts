import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { schedules } from "../../../../server/observer/tasks/schedules_task.ts";
import { watch } from "../../../../server/observer/tasks/watch_task.ts";
import { seed } from "../../../../server/store/tasks/seed_task.ts";
import { withTasks } from "../../store/tasks/task_context.ts";

Deno.test("schedules add: a file that list --format csv wrote changes nothing when it is read back", () =>
  withTasks(async ({ dataDir, run }) => {
    const file = join(dataDir, "schedules.csv");
    const lines = [
      "scheduleId;name;owner;watched;cron;zone;grace",
      "101;Sales;Ada;true;0 6 * * 1-5;Europe/Berlin;20m",
      "102;Claims;;false;;;",
    ];
    await Deno.writeTextFile(file, lines.join("\r\n"));
    assertEquals(await run(schedules, "add", "--file", file), {
      code: 0,
      printed: "2 schedules added, 0 changed",
      reported: "",
    });
    const listed = await run(schedules, "list", "--format", "csv");
    assertEquals(listed.printed.split("\r\n"), [
      "scheduleId,name,owner,watched,cron,zone,grace,source,state,lastSuccess,next",
      "101,Sales,Ada,true,0 6 * * 1-5,Europe/Berlin,1200s,file,unknown,,",
      "102,Claims,,false,,,,file,unknown,,",
    ]);
    await Deno.writeTextFile(file, listed.printed);
    assertEquals(
      (await run(schedules, "add", "--file", file)).printed,
      "0 schedules added, 0 changed",
    );
    assertEquals(await run(schedules, "list", "--format", "csv"), listed);
    const table = await run(schedules, "list");
    assertEquals(table.printed.split("\n"), [
      "ID   NAME    OWNER  WATCHED  STATE    LAST SENT  NEXT",
      "101  Sales   Ada    yes      unknown  never",
      "102  Claims         no       unknown  never",
      "2 schedules known; the service was never asked which ones it has",
    ]);
  }));

Deno.test("schedules add: nothing is added from a file with a wrong line, unless it is skipped", () =>
  withTasks(async ({ dataDir, run }) => {
    const file = join(dataDir, "schedules.csv");
    await Deno.writeTextFile(file, "scheduleId,watched\n7,true\n8,perhaps");
    const { code, reported } = await run(schedules, "add", "--file", file);
    assertEquals([code, reported], [
      2,
      'line 3: watched must be true, false or empty, not "perhaps"\n' +
      "Nothing was added. Correct this line, or use --skip-invalid",
    ]);
    assertEquals((await run(schedules, "list", "--format", "json")).printed, "[]");
    await Deno.writeTextFile(file, `scheduleId\n${"x\n".repeat(102)}`);
    const many = (await run(schedules, "add", "--file", file)).reported.split("\n");
    assertEquals([many.length, many[100]], [102, "and 2 more lines"]);
    await Deno.writeTextFile(file, "scheduleId,watched\n7,true\n8,perhaps");
    const skipped = await run(schedules, "add", "--file", file, "--skip-invalid");
    assertEquals([skipped.code, skipped.printed], [
      0,
      "1 schedule added, 0 changed, 1 line skipped",
    ]);
    const after = async (rows: string) => {
      await Deno.writeTextFile(file, rows);
      const { printed } = await run(schedules, "add", "--file", file);
      const list = await run(schedules, "list", "--format", "json");
      const [{ name, watched }] = JSON.parse(list.printed);
      return [printed, name, watched];
    };
    const [changed, same] = [1, 0].map((count) => `0 schedules added, ${count} changed`);
    // An empty cell changes nothing.
    const renamed = "scheduleId,name,watched\n7,Renamed,";
    assertEquals(await after(renamed), [changed, "Renamed", true]);
    assertEquals(await after(renamed), [same, "Renamed", true]);
    assertEquals(await after("scheduleId,watched\n7,false"), [changed, "Renamed", false]);
    assertEquals(await after(renamed), [same, "Renamed", false]);
  }));

Deno.test("schedules find: what the embedded service has becomes known, and the coverage is said", () =>
  withTasks(async ({ run }) => {
    await run(seed, "--file-sets", "5", "--schedules", "3", "--runs", "4");
    const args = "find --from 100 --to 104 --rate 50/s".split(" ");
    const { code, printed } = await run(schedules, ...args);
    assertEquals([code, printed.split("\n")], [0, [
      "New: 101-103",
      "3 schedules known; ids 100 to 104 checked on 2026-03-10: 3 have runs, 2 don't exist",
    ]]);
    assertEquals((await run(schedules, "find", "--from", "101", "--to", "101")).code, 0);
  }));

Deno.test("schedules remove: a watched schedule stays, any other is forgotten", () =>
  withTasks(async ({ run }) => {
    await run(watch, "add", "7");
    await run(schedules, "add", "8");
    assertStringIncludes((await run(schedules, "remove", "7")).reported, "Schedule 7 is watched");
    assertEquals((await run(schedules, "remove", "8")).printed, "Removed schedule 8");
    assertEquals((await run(schedules, "remove", "8")).reported, "Schedule 8 is not known");
  }));

Deno.test("schedules: says what is wrong", () =>
  withTasks(async ({ run }) => {
    for (
      const [args, words] of [
        [["find", "--from", "5", "--to", "1"], "--to must be at least --from"],
        [["find", "--from", "1", "--to", "2", "--rate", "9"], "--rate must be requests a second"],
        [["list", "--format", "xml"], "--format must be csv or json"],
        [["add", "--file", "nowhere.csv"], "There is no file nowhere.csv"],
        [["add", "x"], "A schedule id is a whole number"],
        [["list", "--file", "x"], "list takes no --file"],
        [["go"], "Use add, find, list or remove"],
      ] as const
    ) {
      const { code, reported } = await run(schedules, ...args);
      assertEquals([code, reported.includes(words)], [2, true], reported);
    }
  }));
