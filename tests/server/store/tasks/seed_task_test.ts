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

const NONE = ["--file-sets", "0", "--schedules", "0"];

Deno.test("seed: replaces what was there by as many rows as asked for, also by none", () =>
  withTasks(async ({ dataDir, run }) => {
    await run(seed, "--file-sets", "30", "--schedules", "3", "--runs", "5");
    const { code, printed } = await run(seed, "--file-sets=20", "--schedules=14", "--runs=2");
    assertEquals([code, printed.slice(0, 12)], [0, "20 file sets"]);
    await inStore(dataDir, async (store) => {
      assertEquals((await store.fileSets.search({})).pageContext.total, 20);
      for (const id of [101, 114]) {
        assertEquals((await store.reportSchedules.history(id)).length, 2);
      }
    });
    assertMatch((await run(seed, ...NONE)).printed, /^Deleted all file sets and runs, and the wat/);
    // Docket then starts without filling it again.
    await inStore(dataDir, async (store) => {
      assert(await store.isEmpty() && await store.metadata(SEEDED) !== undefined);
    });
  }));

Deno.test("seed: the sample leaves with its records, but for what people made or changed", () =>
  withTasks(async ({ dataDir, run }) => {
    await run(seed, "--file-sets", "0", "--runs", "2");
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
      await run(seed, "--file-sets", "0", "--schedules", "2", "--runs", "2");
      const [watched, ...others] = await left();
      assertEquals(watched.length, 13);
      assertEquals(others, [["a", "b"], ["Finance", "Operations", "Stocktaking"]]);
      await owners.save({ name: "Finance", quiet: null, changed: 2, actor: ADA }, {});
      await run(seed, ...NONE);
      assertEquals(await left(), [[500], ["b"], ["Finance"]]);
    });
  }));

Deno.test("importFile: asks whether the sample is removed first, and otherwise says how", () =>
  withTasks(async ({ dataDir, run }) => {
    const seedTwo = () => run(seed, "--file-sets", "2", "--schedules", "0");
    let questions = 0;
    const agreeing: Task = {
      ...importFile,
      run: (args, context) =>
        importFile.run(args, { ...context, confirm: () => Boolean(++questions) }),
    };
    /** What an import reports, and then how often it asked, and how many file sets there are. */
    const take = async (task: Task, rows: string) => {
      await Deno.writeTextFile(`${dataDir}/own.csv`, `id,name\n${rows}`);
      const { reported } = await run(task, `${dataDir}/own.csv`);
      const { pageContext } = await inStore(dataDir, (store) => store.fileSets.search({}));
      return [reported, questions, pageContext.total] as const;
    };
    await seedTwo();
    const [reported, ...kept] = await take(importFile, "1,Own\n");
    assertStringIncludes(reported, "run deno task seed --file-sets 0 --schedules 0");
    assertEquals(kept, [0, 3]);
    // It is not the sample alone any more.
    assertEquals((await take(agreeing, "1,Own\n")).slice(1), [0, 3]);
    await seedTwo();
    // Nothing is removed for a file of which nothing can be imported.
    assertEquals((await take(agreeing, '1,Own\n2,"Other\n')).slice(1), [1, 2]);
    assertEquals((await take(agreeing, "1,Own\n")).slice(1), [2, 1]);
  }));

Deno.test("seed, importFile: name bad arguments, and change nothing of another service", () =>
  withTasks(async ({ dataDir, run }) => {
    const message = "Nothing was changed: this task changes the ";
    await assertRefuses(run, importFile, [[["no-such-file"], message]]);
    await assertRefuses(run, seed, [
      [[], message],
      [["--file-sets=-1"], '--file-sets must be a whole number from 0 to 10000000, not "-1"'],
      [["--runs", "-1"], "To specify an option argument starting with a dash use '--runs=-"],
      [["--file-sets", "1e3"], '"1e3"'],
      [["--runs"], "Option '--runs <value>' argument missing; see --help"],
      [["--filesets", "1"], "Unknown option '--filesets'; see --help"],
      [["20"], 'Too many arguments: "20"'],
    ]);
    assertEquals((await run(seed, "--help")).code, 0);
    assertEquals([...Deno.readDirSync(dataDir)], []);
  }, { SERVICE_BASE_URL: "https://service.example" }));
