import { assertEquals, assertRejects } from "@std/assert";
import { readScheduleFile } from "../../../server/schedules/schedule_file.ts";
import { CsvError } from "../../../server/store/import/csv_rows.ts";

const NOW = Date.UTC(2026, 10, 23);

const read = (text: string) => readScheduleFile(new Blob([text]).stream(), NOW);

Deno.test("readScheduleFile: names, owners and plans, from whatever a spreadsheet writes", async () => {
  for (const separator of [",", ";", "\t"]) {
    const table = [
      ["scheduleId", "name", "owner", "watched", "cron", "zone", "grace"],
      ["101", "Sales", "Ada", "true", "0 6 * * 1-5", "Europe/Berlin", "20m"],
      ["102", '"Claims\nopen"', "", "", "", "", ""],
      ["", "", "", "", "", "", ""],
    ];
    const text = "\uFEFF" + table.map((row) => row.join(separator)).join("\r\n");
    const { schedules, issues } = await read(text);
    assertEquals(issues, []);
    const plan = { cron: ["0 6 * * 1-5"], zone: "Europe/Berlin", graceMs: 1_200_000, since: NOW };
    assertEquals(schedules, [
      { scheduleId: 101, watched: true, settings: { name: "Sales", note: "Ada", plan } },
      { scheduleId: 102, watched: null, settings: { name: "Claims\nopen", note: "" } },
    ]);
  }
});

Deno.test("readScheduleFile: every wrong line is named, with its column and what is allowed", async () => {
  const { schedules, issues } = await read(
    [
      "scheduleId,watched,cron,zone,grace",
      "1,,0 6 * * *; 0 7 * * *,,",
      "x,,,,",
      "9007199254740993,,,,",
      "2,yes,,,",
      "1,,,,",
      "3,,every day,,",
      "4,,0 6 * * *,Mars,",
      "5,,,UTC,",
      "6,true",
    ].join("\n"),
  );
  assertEquals(schedules.map(({ scheduleId, settings }) => [scheduleId, settings.plan?.cron]), [
    [1, ["0 6 * * *", "0 7 * * *"]],
  ]);
  const rule = "A schedule id is a whole number from 0 to 9007199254740991, not";
  assertEquals(issues.map(({ line, issue }) => [line, issue.split("; ")[0].slice(0, 90)]), [
    [3, `${rule} "x"`],
    [4, `${rule} "9007199254740993"`],
    [5, 'watched must be true, false or empty, not "yes"'],
    [6, "scheduleId 1 is in an earlier line too"],
    [7, issues[4].issue.slice(0, 90)],
    [8, 'zone must be the IANA name of a time zone, such as Europe/Berlin, not "Mars"'],
    [9, "zone needs cron"],
    [10, "the header has 5 cells, this line 2"],
  ]);
});

Deno.test("readScheduleFile: a file that is no such CSV gets one sentence", async () => {
  const files = {
    "": "the file is empty",
    "scheduleId,name\n\n": "the file is empty below its header",
    "id,name\n1,x": 'line 1: "id" is not a column',
    "name\nx": "line 1: the column scheduleId is missing",
    "scheduleId,name,name\n1,x,y": "line 1: the column name appears twice",
    'scheduleId,name\n1,"x': "a quote is not closed",
  };
  for (const [text, words] of Object.entries(files)) {
    await assertRejects(() => read(text), CsvError, words);
  }
});

Deno.test("readScheduleFile: 100,000 lines", async () => {
  const lines = Array.from({ length: 100_000 }, (_, id) => `${id},Schedule ${id}`);
  const { schedules, issues } = await read(["scheduleId,name", ...lines].join("\n"));
  assertEquals([schedules.length, issues.length], [100_000, 0]);
});
