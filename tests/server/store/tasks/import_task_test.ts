import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { csvStream, recipientRows } from "../../../../lib/export.ts";
import { fileSetColumns, runColumns } from "../../../../lib/fields.ts";
import { recipientSpans } from "../../../../lib/runs/recipient_spans.ts";
import { unknownStatuses } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";
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
    const text = `${linesOf([fileSet(1), { ...fileSet(2), owner: 5 }])}{"id":\n\n${
      linesOf([run(1), fileSet(3)])
    }`;
    await Deno.writeTextFile(`${dataDir}/mixed.ndjson`, text);
    const { code, printed, reported } = await runTask(importFile, `${dataDir}/mixed.ndjson`);
    assertEquals(code, 1);
    assertEquals(printed, "5 read: 2 new, 0 changed, 0 unchanged, 3 rejected");
    assert(!reported.includes(" read: "), "the summary is printed, and not said twice");
    assertStringIncludes(reported, "line 2: owner must be a text");
    assertStringIncludes(reported, "line 3: is not valid JSON");
    assertStringIncludes(reported, "line 5: scheduleId is missing");
    assert(!reported.includes("Nothing was imported"));
  }));

const MAP = "Report ID=scheduleId,Sent at=startTime,Result=status,E-mail=emailAddress";
const CASES = new URL("../../../cases/", import.meta.url).pathname;

Deno.test("importFile: stores runs as services send them", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const file = `${CASES}runs_as_services_send_them.ndjson`;
    const { code, printed } = await runTask(importFile, file);
    assertEquals([code, printed], [0, "4 read: 4 new, 0 changed, 0 unchanged, 0 rejected"]);
    const rows = (await Deno.readTextFile(file)).trim().split("\n").map((line) => {
      const { scheduleId: _, ...row } = JSON.parse(line);
      for (const name of ["startTime", "endTime"]) {
        if (typeof row[name] === "number") row[name] = new Date(row[name]).toISOString();
      }
      return row as ReportRun;
    });
    const runs = await inStore(dataDir, (store) => store.reportSchedules.history(9));
    assertEquals(runs.toSorted((a, b) => a.id - b.id), rows);
    const spans = recipientSpans(new Map([[9, runs]]));
    assertEquals(spans.map(({ emailAddress }) => emailAddress), [
      "ada@example.com",
      "a@partner.example.net",
      "b@partner.example.org",
    ]);
    assertEquals(unknownStatuses(runs).map(({ status }) => status), ["ARCHIVED"]);
  }));

Deno.test("importFile: takes a spreadsheet, rows of one start as one run", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const { code } = await runTask(importFile, "--map", MAP, `${CASES}spreadsheet.csv`);
    assertEquals(code, 0);
    const histories = await inStore(
      dataDir,
      (store) => Promise.all([9, 10].map((id) => store.reportSchedules.history(id))),
    );
    const short = histories.flat().map(({ startTime, status, recipients }) =>
      [startTime, status, ...recipients!.map(({ emailAddress }) => emailAddress)].join(" ")
    );
    assertEquals(short, [
      "2026-11-28T05:30:00.000Z SENT ada@example.com bo@example.com",
      "2026-11-28T05:30:00.000Z BOUNCED ada@example.com",
    ]);
  }));

Deno.test("importFile: names of columns match whatever case, blanks and _ they have", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const path = `${dataDir}/smallest.csv`;
    const rows = [
      "Schedule ID,START_TIME,Status,Email Address",
      "7,2026-11-28 05:30,sent, a@x.example",
      "7,2026-11-27 05:30,sent,a@x.example",
      "7,2026-11-28 05:30,sent,b@x.example",
    ];
    await Deno.writeTextFile(path, rows.join("\n"));
    assertEquals((await runTask(importFile, path)).printed.slice(0, 14), "2 read: 2 new,");
    assertEquals((await runTask(importFile, path)).printed.slice(0, 14), "2 read: 0 new,");
    const [newest] = await inStore(dataDir, (store) => store.reportSchedules.history(7));
    assertEquals(newest.recipients?.length, 2);
  }));

Deno.test("importFile: dates of unknown order are named, and read with --dates", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const path = `${dataDir}/dates.csv`;
    const starts = ["03.04.2026 05:00", "28.11.2026 05:00", "31.02.2026", "11/28/2026 5:00 PM"];
    await Deno.writeTextFile(
      path,
      ["scheduleId,startTime", ...starts.map((at) => `7,${at}`)].join("\n"),
    );
    const { code, reported } = await runTask(importFile, path);
    assertEquals(code, 1);
    assertStringIncludes(reported, "line 2: startTime 03.04.2026 05:00 is ambiguous");
    assertStringIncludes(
      reported,
      "line 4: startTime 31.02.2026 is a date or a time that does not",
    );
    const read = async () =>
      (await inStore(dataDir, (store) => store.reportSchedules.history(7))).map(({ startTime }) =>
        startTime
      );
    assertEquals(await read(), ["2026-11-28T17:00:00.000Z", "2026-11-28T05:00:00.000Z"]);
    await runTask(importFile, "--dates", "day-first", path);
    assertEquals((await read()).at(-1), "2026-04-03T05:00:00.000Z");
    assertEquals((await runTask(importFile, "--dates", "us", path)).code, 2);
  }));

Deno.test("importFile: names everything that does not match at once, with the nearest name", () =>
  withTasks(async ({ dataDir, run: runTask }) => {
    const path = `${dataDir}/odd.csv`;
    await Deno.writeTextFile(path, "Report ID;statu;Start Time\n1;x;2026-11-28 05:00\n");
    const { code, reported } = await runTask(
      importFile,
      ...["--map", "Reprt ID=scheduleId,Start Time=startTimes", path],
    );
    assertEquals(code, 2);
    for (
      const words of [
        'the map\'s "Reprt ID" is not in the file, the nearest is "Report ID"',
        'the map\'s "startTimes" is not a column, the nearest is startTime',
        '"statu" is not a column, the nearest is status',
      ]
    ) assertStringIncludes(reported, words);
    const twice = await runTask(importFile, "--map", "a=id,a=name,b", path);
    assertStringIncludes(twice.reported, 'the map: "a" is there twice; "b" is not HEADER=NAME');
    await Deno.writeFile(path, new TextEncoder().encode("PK\u0003\u0004\u0014"));
    const workbook = await runTask(importFile, path);
    assertStringIncludes(workbook.reported, "Excel workbook (.xlsx): save it as CSV");
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
      ["id,fileCount\n1\n2,x\n", 1, "the header has 2 cells, this line 1\nline 3: fileCount must"],
      ["id,colour\n1,red\n", 2, 'line 1: "colour" is not a column, the nearest is owner'],
      [
        "id,startTime\nx,2026-11-23T06:00:00Z\n",
        1,
        "scheduleId is missing",
      ],
    ] as const;
    for (const [text, code, words] of cases) {
      await Deno.writeTextFile(path, text);
      const result = await runTask(importFile, path);
      assertEquals([result.code, result.reported.includes(words)], [code, true], result.reported);
    }
  }));

Deno.test("importFile: names wrong rows and columns, and imports no partial run", () =>
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
    await refused("line 3: status is not as in line 2, which is the same run");
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
    const many = Array.from({ length: 102 }, () => fileSet(1));
    for (
      const [rows, last] of [
        [many.map(() => ({})), "Further rejected entries are only counted"],
        [many, "Further repeated ids are not reported"],
      ] as const
    ) {
      await Deno.writeTextFile(path, linesOf(rows));
      const lines = (await runTask(importFile, path)).reported.split("\n");
      assertEquals(lines.filter((line) => /^line \d+: /.test(line)).length, 100);
      assertEquals(lines.indexOf(last), 101); // After the database's name.
    }
  }));
