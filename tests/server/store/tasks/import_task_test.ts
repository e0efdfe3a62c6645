import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { csvStream, recipientRows } from "../../../../lib/export.ts";
import { fileSetColumns, runColumns } from "../../../../lib/fields.ts";
import { fileSet, run } from "../rows.ts";
import { inStore, withTasks } from "./task_context.ts";

function linesOf(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

Deno.test("importFile: takes NDJSON, and the second time finds everything as before", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const file = `${dataDir}/export.ndjson`;
    const runs = [{ scheduleId: 5, ...run(1) }, { scheduleId: 6, ...run(1) }];
    await Deno.writeTextFile(file, linesOf([fileSet(1), fileSet(2), ...runs]));
    const first = await runTask(importFile, file);
    assertEquals(first.printed, "4 read: 4 new, 0 changed, 0 unchanged, 0 rejected");
    assertEquals(first.code, 0);
    const second = await runTask(importFile, file);
    assertEquals(second.printed, "4 read: 0 new, 0 changed, 4 unchanged, 0 rejected");
    await Deno.writeTextFile(file, linesOf([fileSet(1, { name: "New name" })]));
    const third = await runTask(importFile, file);
    assertEquals(third.printed, "1 read: 0 new, 1 changed, 0 unchanged, 0 rejected");
    await inStore(dataDir, async (store) => {
      const { fileSets } = await store.fileSets.search({});
      assertEquals(fileSets, [fileSet(1, { name: "New name" }), fileSet(2)]);
      assertEquals(await store.reportSchedules.history(5), [run(1)]);
      assertEquals(await store.reportSchedules.history(6), [run(1)]);
    });
  }));

Deno.test("importFile: takes what the interface answers", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const page = { fileSets: [fileSet(1), fileSet(2)], pageContext: { total: 2 } };
    for (const text of [JSON.stringify(page), JSON.stringify(page, null, 2)]) {
      await Deno.writeTextFile(`${dataDir}/page.json`, text);
      const { printed } = await runTask(importFile, `${dataDir}/page.json`);
      assertStringIncludes(printed, "2 read");
    }
    const mixed = JSON.stringify([fileSet(1), 7, fileSet(1)], null, 2);
    await Deno.writeTextFile(`${dataDir}/mixed.json`, mixed);
    const { reported } = await runTask(importFile, `${dataDir}/mixed.json`);
    assertStringIncludes(reported, "entry 2 of line 1: is not an object");
    assertStringIncludes(reported, "is also in entry 1 of line 1");
    await Deno.writeTextFile(`${dataDir}/runs.json`, JSON.stringify([run(1), run(2)]));
    const { printed } = await runTask(importFile, "--schedule", "7", `${dataDir}/runs.json`);
    assertStringIncludes(printed, "2 new");
    assertEquals(await inStore(dataDir, (store) => store.reportSchedules.history(7)), [
      run(1),
      run(2),
    ]);
  }));

Deno.test("importFile: refuses entries by line, and takes the others", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const { owner: _, ...ownerless } = fileSet(2);
    const text = `${linesOf([fileSet(1), ownerless])}{"id":\n\n${linesOf([run(1), fileSet(3)])}`;
    await Deno.writeTextFile(`${dataDir}/mixed.ndjson`, text);
    const { code, printed, reported } = await runTask(importFile, `${dataDir}/mixed.ndjson`);
    assertEquals(code, 1);
    assertEquals(printed, "5 read: 2 new, 0 changed, 0 unchanged, 3 rejected");
    assert(!reported.includes(" read: "), "the summary is printed, and not said twice");
    assertStringIncludes(reported, "line 2: owner is missing");
    assertStringIncludes(reported, "line 3: is not valid JSON");
    assertStringIncludes(reported, "line 5: scheduleId is missing");
    assert(!reported.includes("Nothing was imported"));
  }));

Deno.test("importFile: takes the file sets and runs that Docket exports as CSV", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const path = `${dataDir}/export.csv`;
    const fileSets = [fileSet(1, { name: "=1+1", description: "a\nb" }), fileSet(2)];
    const two = [run(1), run(2, { recipients: [] })].map((each) => ({ ...each, scheduleId: 5 }));
    const columns = ["scheduleId", ...runColumns(), "userId", "displayName", "emailAddress"];
    const streams = [
      csvStream(fileSets, { columns: fileSetColumns(), bom: true }),
      csvStream(two.flatMap(recipientRows), { columns }),
    ];
    for (const stream of streams) {
      await Deno.writeFile(path, stream);
      const { code, printed, reported } = await runTask(importFile, path);
      assertEquals(
        [code, printed],
        [0, "2 read: 2 new, 0 changed, 0 unchanged, 0 rejected"],
        reported,
      );
    }
    await inStore(dataDir, async (store) => {
      const page = await store.fileSets.search({ fieldSort: [{ field: "name" }] });
      assertEquals(
        page.fileSets,
        [fileSets[0], fileSets[1]].sort((a, b) => a.name < b.name ? -1 : 1),
      );
      const runs = await store.reportSchedules.history(5);
      assertEquals(runs.map(({ id, recipients }) => [id, recipients]), [
        [1, run(1).recipients],
        [2, []],
      ]);
    });
  }));

Deno.test("importFile: of CSV and empty files, says what is wrong in which line", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const path = `${dataDir}/export.csv`;
    const cases = [
      ["", 2, "The file is empty"],
      ["\n", 2, "The file is empty"],
      ["[]", 2, "The file is empty"],
      ["id,name\n", 2, "the file is empty below its header"],
      ["id;name\n1;one\n", 1, "line 2: id of a file set must be a UUID"],
      ["id,name\n1\n2,two\n", 1, "line 2: the header has 2 cells, this line 1\nline 3: id of"],
      ["id,colour\n1,red\n", 2, 'line 1: "colour" is not a column; the columns are id, name'],
      [
        "id,startTime\nx,2026-11-23T06:00:00Z\n",
        1,
        "line 2: scheduleId is missing",
      ],
    ] as const;
    for (const [text, code, words] of cases) {
      await Deno.writeTextFile(path, text);
      const result = await runTask(importFile, path);
      assertEquals([result.code, result.reported.includes(words)], [code, true], result.reported);
    }
  }));

Deno.test("importFile: of rows of runs in CSV, names the wrong row and column, and imports no run in part", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const path = `${dataDir}/runs.csv`;
    const ada = { userId: 21, displayName: "Zoë", emailAddress: "zoe@example.com" };
    const runs = [run(1, { recipients: [ada, { ...ada, userId: 22 }] })];
    const write = async (changed: (text: string) => string, columns: readonly string[]) => {
      const rows = runs.map((each) => ({ ...each, scheduleId: 5 })).flatMap(recipientRows);
      const text = await new Response(csvStream(rows, { columns })).text();
      await Deno.writeTextFile(path, changed(text));
    };
    const all = ["scheduleId", ...runColumns(), "userId", "displayName", "emailAddress"];
    await write((text) => text, all);
    assertEquals((await runTask(importFile, path)).code, 0);
    const refused = async (words: string) => {
      const { code, reported } = await runTask(importFile, path);
      assertEquals([code > 0, reported.includes(words)], [true, true], reported);
    };
    await write((text) => text.replace(/,22,/, ",x22,"), all);
    await refused("line 3: userId must be a whole number");
    await write((text) => text.replace(/success(?=[^\n]*,22,)/, "failed"), all);
    await refused("line 3: status is not as in line 2, which has the same id");
    await write((text) => text, all.slice(0, -3));
    await refused("recipients are missing: a run needs the columns userId, displayName");
    const latin = Uint8Array.from("id,name\n1,Zo\xeb\n", (character) => character.charCodeAt(0));
    await Deno.writeFile(path, latin);
    await refused("the file is not in UTF-8");
    await inStore(
      dataDir,
      async (store) => assertEquals(await store.reportSchedules.history(5), runs),
    );
  }));

Deno.test("importFile: a document that is cut off is said to be", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const text = JSON.stringify([fileSet(1), fileSet(2)], null, 2);
    await Deno.writeTextFile(`${dataDir}/half.json`, text.slice(0, -30));
    const { code, reported } = await runTask(importFile, `${dataDir}/half.json`);
    assertEquals(code, 1);
    assertStringIncludes(reported, "line 1: is not valid JSON in UTF-8 (line ");
  }));

Deno.test("importFile: says that an id comes twice, and the last one stays", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const rows = [
      fileSet(1),
      { scheduleId: 5, ...run(1) },
      { scheduleId: 6, ...run(1) },
      fileSet(1, { name: "Last" }),
      { scheduleId: 5, ...run(1) },
    ];
    await Deno.writeTextFile(`${dataDir}/twice.ndjson`, linesOf(rows));
    const { code, reported } = await runTask(importFile, `${dataDir}/twice.ndjson`);
    assertEquals(code, 0);
    assertStringIncludes(
      reported,
      `line 4: id ${fileSet(1).id} is also in line 1: this entry replaces it`,
    );
    assertStringIncludes(
      reported,
      "line 5: id 1 of schedule 5 is also in line 2: this entry replaces it",
    );
    const { fileSets } = await inStore(dataDir, (store) => store.fileSets.search({}));
    assertEquals(fileSets, [fileSet(1, { name: "Last" })]);
  }));

Deno.test("importFile: names members that are not stored, once", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const rows = [1, 2].map((n) => ({ ...fileSet(n), colour: "red" }));
    await Deno.writeTextFile(`${dataDir}/more.ndjson`, linesOf(rows));
    const { code, reported } = await runTask(importFile, `${dataDir}/more.ndjson`);
    assertEquals(code, 0);
    assertEquals(reported.match(/"colour" is an unknown field/g)?.length, 1);
  }));

Deno.test("importFile: names bad arguments", () =>
  withTasks(async ({ run: runTask }) => {
    for (
      const [args, message] of [
        [["/nowhere/at/all.ndjson"], "There is no file /nowhere/at/all.ndjson"],
        [["/"], "is a folder"],
        [["--schedule", "x", "file"], "--schedule must be a whole number"],
        [["a,b.ndjson"], "a file without a comma"],
        [[""], "a file without a comma"],
        [["a", "b"], 'Too many arguments: "b"'],
      ] as const
    ) {
      const { code, reported } = await runTask(importFile, ...args);
      assert(code !== 0);
      assertStringIncludes(reported, message);
    }
  }));

Deno.test("importFile: reports a hundred of what is wrong with a file, and counts the rest", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const path = `${dataDir}/wrong.ndjson`;
    const colours = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`colour${n}`, ""]));
    const many = Array.from({ length: 102 }, () => fileSet(1));
    for (
      const [rows, last] of [
        [many.map(() => ({})), "Further rejected entries are only counted"],
        [many, "Further repeated ids are not reported"],
        [[{ ...fileSet(1), ...colours }], null],
      ] as const
    ) {
      await Deno.writeTextFile(path, linesOf(rows));
      const lines = (await runTask(importFile, path)).reported.split("\n");
      assertEquals(lines.filter((line) => /^line \d+: /.test(line)).length, 100);
      if (last !== null) assertEquals(lines.indexOf(last), 100);
    }
  }));
