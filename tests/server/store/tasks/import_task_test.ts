import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { csvStream, recipientRows } from "../../../../lib/export.ts";
import { fileSetColumns, runColumns } from "../../../../lib/fields.ts";
import { fileSet, run, type StoredRun } from "../rows.ts";
import { type TaskRunner, withTasks } from "./task_context.ts";

function linesOf(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Runs of schedule 5 as Docket exports them, a row for each recipient. */
function csvOfRuns(...runs: readonly StoredRun[]) {
  const columns = ["scheduleId", ...runColumns(), "userId", "displayName", "emailAddress"];
  const rows = runs.map((each) => ({ ...each, scheduleId: 5 })).flatMap(recipientRows);
  return csvStream(rows, { columns });
}

type Content = string | ReadableStream<Uint8Array> | Uint8Array;

/** Imports into a database whose service names no zone in its times. */
function importsIn({ dataDir, run, open }: TaskRunner) {
  const path = `${dataDir}/file`;
  return {
    open,
    /** Imports a file with this content. */
    async take(content: Content, ...options: string[]) {
      const write = typeof content === "string" ? Deno.writeTextFile : Deno.writeFile;
      await write(path, content as string & Uint8Array);
      return await run(importFile, ...options, path);
    },
    history: (scheduleId: number) => open(({ store }) => store.reportSchedules.history(scheduleId)),
  };
}

type Imports = ReturnType<typeof importsIn>;

function test(name: string, work: (imports: Imports) => Promise<void>): void {
  const env = { SERVICE_ZONE: "Europe/Berlin" };
  Deno.test(`importFile: ${name}`, () => withTasks((runner) => work(importsIn(runner)), env));
}

test("takes NDJSON, and the second time finds everything as before", async ({ take, open, history }) => {
  const times = { startTime: "2026-11-20 05:00:00", endTime: null };
  const runs = [{ scheduleId: 5, ...run(1) }, { scheduleId: 6, id: 1, ...times }];
  const whole = linesOf([fileSet(1), fileSet(2), ...runs]);
  const watched = () =>
    open(async ({ records }) => {
      await records.watches.add([5], 1, { name: "Sales" });
      return await records.watches.known([5, 6]);
    });
  const before = await watched();
  const { code, printed } = await take(whole);
  assertEquals([code, printed], [0, "4 read: 4 new, 0 changed, 0 unchanged, 0 rejected"]);
  const again = await take(whole);
  assertEquals(again.printed, "4 read: 0 new, 0 changed, 4 unchanged, 0 rejected");
  const third = await take(linesOf([fileSet(1, { name: "New name" })]));
  assertEquals(third.printed, "1 read: 0 new, 1 changed, 0 unchanged, 0 rejected");
  const { fileSets } = await open(({ store }) => store.fileSets.search({}));
  assertEquals(fileSets, [fileSet(1, { name: "New name" }), fileSet(2)]);
  const utc = { ...times, startTime: "2026-11-20T04:00:00.000Z" };
  assertEquals([await history(5), await history(6)], [[run(1)], [{ id: 1, ...utc }]]);
  // A schedule that is known stays as it is, and is read at once.
  const known = await watched();
  assert(known.get(5)!.due > 1);
  assertEquals({ ...known.get(5)!, due: 1 }, before.get(5));
  const { watched: isWatched, source, name } = known.get(6)!;
  assertEquals([known.size, isWatched, source, name], [2, 0, "import", ""]);
});

test("takes spreadsheets: headers mapped or in any case, rows of one start as one run", async ({ take, history }) => {
  /** The start, status and addresses of the runs of a schedule. */
  const runsOf = async (scheduleId: number) =>
    (await history(scheduleId)).map(({ startTime, status, recipients }) =>
      [startTime, status, ...recipients!.map(({ emailAddress }) => emailAddress)].join(" ")
    );
  const spreadsheet = new URL("../../../cases/spreadsheet.csv", import.meta.url);
  const map = "Report ID=scheduleId,Sent at=startTime,Result=status,E-mail=emailAddress";
  assertEquals((await take(await Deno.readTextFile(spreadsheet), "--map", map)).code, 0);
  assertEquals(await runsOf(9), ["2026-11-28T04:30:00.000Z SENT ada@example.com bo@example.com"]);
  assertEquals(await runsOf(10), ["2026-11-28T04:30:00.000Z BOUNCED ada@example.com"]);
  const text = [
    "Schedule ID,START_TIME,Status,Email Address,Comment",
    "7,2026-11-28 05:30,sent, a@x.example,",
    "7,03.04.2026 05:30,sent,a@x.example,late",
    "7,2026-11-28 05:30,sent,b@x.example,",
  ].join("\n");
  const { code, reported } = await take(text, "--map", "comment=");
  assertEquals(code, 1);
  assertStringIncludes(reported, "line 3: startTime 03.04.2026 05:30 is ambiguous");
  for (const counts of ["2 read: 1 new,", "2 read: 0 new,"]) {
    const { printed } = await take(text, "--map", "comment=", "--dates", "day-first");
    assertEquals(printed.slice(0, 14), counts);
  }
  assertEquals(await runsOf(7), [
    "2026-11-28T04:30:00.000Z sent a@x.example b@x.example",
    "2026-04-03T03:30:00.000Z sent a@x.example",
  ]);
});

test("takes Docket's own CSV exports, and leaves out a run with a wrong row", async ({ take, open, history }) => {
  const fileSets = [fileSet(1, { name: "=1+1", description: " a\nb" }), fileSet(2)];
  const zoe = { userId: 21, displayName: "Zoë", emailAddress: "zoe@example.com" };
  const runs = [run(1, { recipients: [zoe, { ...zoe, userId: 22 }] }), run(2, { recipients: [] })];
  const text = await new Response(csvOfRuns(...runs)).text();
  for (const file of [csvStream(fileSets, { columns: fileSetColumns(), bom: true }), text]) {
    const { code, printed, reported } = await take(file);
    const expected = [0, "2 read: 2 new, 0 changed, 0 unchanged, 0 rejected"];
    assertEquals([code, printed], expected, reported);
  }
  const page = await open(({ store }) => store.fileSets.search());
  assertEquals(page.fileSets, fileSets);
  const wrong = await take(text.replace(/,22,/, ",x22,"));
  assertStringIncludes(wrong.reported, "line 3: userId must be a whole number");
  const other = await take(text.replace(/success(?=[^\n]*,22,)/, "failed"));
  assertStringIncludes(other.reported, "line 3: status is not as in line 2, which is the same run");
  assertEquals([wrong.code, other.code, await history(5)], [1, 1, runs]);
});

test("says what is wrong with a file in which line, and takes the rest", async ({ take }) => {
  const rejected = `${linesOf([fileSet(1), { ...fileSet(2), owner: 5 }])}{"id":\n\n${
    linesOf([run(1), fileSet(3)])
  }`;
  const cases: [Content, number, string[], map?: string][] = [
    ["", 2, ["The file is empty"]],
    ["[]", 2, ["The file is empty"]],
    ["id,name\n", 2, ["the file is empty below its header"]],
    ["id,time,Sent\n1,5,6\n", 2, ['"time" is not a column, the nearest is startTime', "status;"]],
    ["scheduleId,status\n7,sent\n", 2, ["a column is missing: scheduleId and startTime or id"]],
    ["id,name\n1\n", 1, ["Nothing was imported"]],
    ["id,name\na,One\na,Two\n", 0, ["line 3: id a is also in line 2"]],
    ["scheduleId,startTime\n7,soon\n", 1, ["line 2: startTime is missing or no time"]],
    [Uint8Array.from("id,name\n1,Zo\xeb\n", (character) => character.charCodeAt(0)), 2, [
      "the file is not in UTF-8",
    ]],
    ["PK\u0003\u0004\u0014", 2, ["Excel workbook (.xlsx): save it as CSV"]],
    [JSON.stringify([fileSet(1), fileSet(1)], null, 2), 0, ["is also in entry 1 of line 1"]],
    [linesOf([5, 6, 5].map((scheduleId) => ({ scheduleId, ...run(1) }))), 0, [
      "line 3: id 1 of schedule 5 is also in line 1: this entry replaces it",
    ]],
    [rejected, 1, [
      "line 2: owner must be a text",
      "line 3: is not valid JSON",
      "line 5: scheduleId is missing",
    ]],
    ["Report ID;statu;Start Time\n1;x;2026-11-28 05:00\n", 2, [
      'the map\'s "Reprt ID" is not in the file, the nearest is "Report ID"',
      '"startTimes" is not a column, the nearest is startTime',
      '"statu" is not a column, the nearest is status',
      'map a header, such as "statu=startTime", or leave it out: "statu="',
    ], "Reprt ID=scheduleId,Start Time=startTimes"],
    ["id\n1\n", 2, ['the map: "a" is there twice; "b" is not HEADER=NAME'], "a=id,a=name,b"],
  ];
  for (const [content, code, words, map] of cases) {
    const result = await take(content, ...map ? ["--map", map] : []);
    assertEquals(result.code, code, result.reported);
    for (const each of words) assertStringIncludes(result.reported, each);
  }
  const { printed, reported } = await take(rejected);
  assertEquals(printed, "5 read: 0 new, 0 changed, 2 unchanged, 3 rejected");
  assert(!reported.includes("Nothing was imported") && !reported.includes(" read: "), reported);
});
