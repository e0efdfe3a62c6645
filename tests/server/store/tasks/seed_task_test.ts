import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { insertIncident } from "../../../../server/store/records/incidents.ts";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { SEEDED } from "../../../../server/store/sample/fill.ts";
import { watchSample } from "../../../../server/store/sample/sample_records.ts";
import { seed } from "../../../../server/store/tasks/seed_task.ts";
import type { Task } from "../../../../server/store/tasks/task.ts";
import { ADA } from "../../../actors.ts";
import { incident } from "../records/incident.ts";
import { assertRefuses, inDatabase, inStore, withTasks } from "./task_context.ts";

Deno.test("seed: replaces what was there by as many rows as asked for, also by none", () =>
  withTasks(async ({ dataDir, run }) => {
    await run(seed, "--file-sets", "30", "--schedules", "3", "--runs", "5");
    const { code, printed } = await run(seed, "--file-sets=20", "--schedules=14", "--runs=2");
    assertEquals([code, printed.slice(0, 12)], [0, "20 file sets"]);
    await inStore(dataDir, async (store) => {
      assertEquals((await store.fileSets.search({})).pageContext.total, 20);
      assertEquals((await store.reportSchedules.history(114)).length, 2);
    });
    const { printed: removed } = await run(seed, "--file-sets", "0", "--schedules", "0");
    assertMatch(removed, /^Deleted all file sets and runs, and the watches and incidents of their/);
    // Docket then starts without filling it again.
    await inStore(dataDir, async (store) => {
      assert(await store.isEmpty() && await store.metadata(SEEDED) !== undefined);
    });
  }));

Deno.test("seed: the sample leaves with its records, but for what people made or changed", () =>
  withTasks(async ({ dataDir, run }) => {
    const seedSome = (schedules: string) =>
      run(seed, "--file-sets", "0", "--schedules", schedules, "--runs", "2");
    await seedSome("12");
    await inDatabase({ dataDir }, async ({ records }) => {
      const { owners, calendars, watches, incidents, commit } = records;
      const left = async () => [
        (await watches.list()).map(({ scheduleId }) => scheduleId),
        (await incidents.list({ limit: 9 })).items.map(({ id }) => id),
        [...await owners.list(), ...await calendars.list()].map(({ name }) => name),
      ];
      await watchSample(records, 1);
      await watches.add([500], 1);
      const about = [["a", 101], ["b", 500]] as const;
      await commit(about.map(([id, scheduleId]) => insertIncident(incident(id, { scheduleId }))));
      await seedSome("2");
      const [watched, ...others] = await left();
      assertEquals(watched.length, 13);
      assertEquals(others, [["a", "b"], ["Finance", "Operations", "Stocktaking"]]);
      await owners.save({ name: "Finance", quiet: null, changed: 2, actor: ADA }, {});
      await seedSome("0");
      assertEquals(await left(), [[500], ["b"], ["Finance"]]);
    });
  }));

Deno.test("importFile: asks whether the sample is removed first, and otherwise says how", () =>
  withTasks(async ({ dataDir, run }) => {
    const path = `${dataDir}/own.csv`;
    await Deno.writeTextFile(path, "id,name\n1,Own\n");
    const names = async () => {
      const { fileSets } = await inStore(dataDir, (store) => store.fileSets.search({}));
      return fileSets.map(({ name }) => name);
    };
    const questions: string[] = [];
    const agreeing: Task = {
      ...importFile,
      run: (args, context) =>
        importFile.run(args, { ...context, confirm: (text) => (questions.push(text), true) }),
    };
    await run(seed, "--file-sets", "2", "--schedules", "0");
    const imported = await run(importFile, path);
    assertStringIncludes(imported.reported, "run deno task seed --file-sets 0 --schedules 0");
    assertEquals((await names()).length, 3);
    // It is not the sample alone any more.
    await run(agreeing, path);
    assertEquals([questions.length, (await names()).length], [0, 3]);
    await run(seed, "--file-sets", "2", "--schedules", "0");
    const broken = `${dataDir}/broken.csv`;
    await Deno.writeTextFile(broken, 'id,name\n1,Own\n2,"Other\n');
    // Nothing is removed for a file of which nothing can be imported.
    await run(agreeing, broken);
    assertEquals([questions.length, (await names()).length], [1, 2]);
    await run(agreeing, path);
    assertEquals([questions.length, await names()], [2, ["Own"]]);
  }));

Deno.test("seed, importFile: change nothing where the console shows another service", () =>
  withTasks(async ({ dataDir, run }) => {
    const message = "Nothing was changed: this task changes the ";
    await assertRefuses(run, seed, [[[], message]]);
    await assertRefuses(run, importFile, [[["no-such-file"], message]]);
    assertEquals([...Deno.readDirSync(dataDir)], []);
  }, { SERVICE_BASE_URL: "https://service.example" }));

Deno.test("seed: names bad arguments, and changes nothing", () =>
  withTasks(async ({ dataDir, run }) => {
    await assertRefuses(run, seed, [
      [["--file-sets=-1"], '--file-sets must be a whole number from 0 to 10000000, not "-1"'],
      [["--runs", "-1"], "To specify an option argument starting with a dash use '--runs=-"],
      [["--runs"], "Option '--runs <value>' argument missing; see --help"],
      [["--filesets", "1"], "Unknown option '--filesets'; see --help"],
      [["20"], 'Too many arguments: "20"'],
    ]);
    assertEquals((await run(seed, "--help")).code, 0);
    assertEquals([...Deno.readDirSync(dataDir)], []);
  }));
