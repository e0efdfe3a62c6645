import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { insertIncident } from "../../../../server/store/records/incidents.ts";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { watchSample } from "../../../../server/store/sample/sample_records.ts";
import { seed } from "../../../../server/store/tasks/seed_task.ts";
import type { Task } from "../../../../server/store/tasks/task.ts";
import { ADA } from "../../../actors.ts";
import { incident } from "../records/stored_rows.ts";
import { withTasks } from "./task_context.ts";

Deno.test("seed: replaces rows by as many as asked for, but nothing that people made", () =>
  withTasks(async ({ run, open }) => {
    const left = () =>
      open(async ({ store, records: { watches, incidents, owners, calendars } }) => [
        (await store.fileSets.search({})).pageContext.total,
        (await watches.list()).length,
        (await incidents.list({ limit: 9 })).items.map(({ id }) => id),
        [...await owners.list(), ...await calendars.list()].map(({ name }) => name),
      ]);
    await run(seed, "--file-sets", "30", "--schedules", "12", "--runs", "5");
    await open(async ({ records }) => {
      await watchSample(records, 1);
      await records.watches.add([500], 1);
      const incidents = [incident("a", { scheduleId: 101 }), incident("b", { scheduleId: 500 })];
      await records.commit(incidents.map(insertIncident));
    });
    assertEquals((await run(seed, "--file-sets=20", "--schedules=14", "--runs=2")).code, 0);
    assertEquals(await left(), [20, 13, ["a", "b"], ["Finance", "Operations", "Stocktaking"]]);
    await open(async ({ store, records: { owners } }) => {
      assertEquals((await store.reportSchedules.history(114)).length, 2);
      await owners.save({ name: "Finance", quiet: null, changed: 2, actor: ADA }, {});
    });
    const { printed: removed } = await run(seed, "--file-sets", "0", "--schedules", "0");
    assertMatch(removed, /^Deleted all file sets and runs, and the watches and incidents of their/);
    assertEquals(await left(), [0, 1, ["b"], ["Finance"]]);
    // Docket then starts without filling it again.
    await open(async ({ store }) => {
      assertEquals([await store.isEmpty(), await store.contents()], [true, "own"]);
    });
  }));

Deno.test("importFile: asks whether the sample is removed first, and otherwise says how", () =>
  withTasks(async ({ dataDir, run, open }) => {
    const path = `${dataDir}/own.csv`;
    await Deno.writeTextFile(path, "id,name\n1,Own\n");
    const names = async () => {
      const { fileSets } = await open(({ store }) => store.fileSets.search({}));
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
    // What a seed left incomplete stays so.
    await open(({ store }) => store.put({ contents: "incomplete" }));
    await run(importFile, path);
    assertStringIncludes(
      (await run(importFile, path)).reported,
      "seed was ended before it was done",
    );
  }));
