import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { csvStream } from "../../../lib/mod.ts";
import {
  FILE_COLUMNS,
  readScheduleFile,
  SAMPLE_FILE,
  toFileRow,
} from "../../../server/schedules/schedule_file.ts";
import { CsvError } from "../../../server/store/import/csv_rows.ts";

const NOW = Date.UTC(2026, 10, 23);

const read = (text: string) => readScheduleFile(new Blob([text]).stream(), NOW);

Deno.test("readScheduleFile: names, owners and plans, from whatever a spreadsheet writes", async () => {
  const table = [
    ["scheduleId", "name", "owner", "watched", "cron", "zone", "grace"],
    ["101", "Sales", "Ada", "true", "0 6 * * *; 0 7 * * *", "Europe/Berlin", "20m"],
    ["102", '"Claims\nopen"', "", "", "", "", ""],
    ["", "", "", "", "", "", ""],
  ];
  const cron = ["0 6 * * *", "0 7 * * *"];
  const plan = { cron, zone: "Europe/Berlin", graceMs: 1_200_000, since: NOW, confirmed: NOW };
  const schedules = [
    { scheduleId: 101, watched: true, settings: { name: "Sales", owner: "Ada", plan } },
    { scheduleId: 102, watched: null, settings: { name: "Claims\nopen", owner: "" } },
  ];
  for (const separator of [",", ";", "\t"]) {
    const rows = table.map((row) =>
      row.map((cell) => cell.includes(separator) ? `"${cell}"` : cell).join(separator)
    );
    assertEquals(await read("\uFEFF" + rows.join("\r\n")), { schedules, issues: [] });
  }
});

Deno.test("toFileRow: a name, an owner and a plan of every few weeks are read back", async () => {
  const everyWeeks = { n: 2, from: "2026-06-03" };
  const when = { cron: ["0 10 * * 3"], zone: "UTC", graceMs: 600_000, everyWeeks };
  const plan = { ...when, since: NOW, confirmed: NOW };
  const known = {
    ...{ scheduleId: 1, name: "A", owner: "B", watched: 1, plans: [plan] },
    ...{ source: "hand", headline: "new", lastSuccess: null, nextDue: null },
  };
  const row = toFileRow(known as unknown as Parameters<typeof toFileRow>[0]);
  const csv = csvStream([row], { columns: FILE_COLUMNS as (keyof typeof row)[] });
  const { schedules, issues } = await readScheduleFile(csv, NOW);
  assertEquals([issues, schedules[0].settings], [[], { name: "A", owner: "B", plan }]);
  assertEquals((await read(SAMPLE_FILE)).issues, []);
});

Deno.test("readScheduleFile: every wrong line is named, with its column and what is allowed", async () => {
  const id = "A schedule id is a whole number from 0 to 9007199254740991, not";
  const wrong = [
    ["x,,,,,,", `${id} "x"`],
    ["9007199254740993,,,,,,", `${id} "9007199254740993"`],
    ["2,yes,,,,,", 'watched must be true, false or empty, not "yes"'],
    ["1,,,,,,", "scheduleId 1 is in an earlier line too"],
    ["3,,every day,,,,", "cron"],
    ["4,,0 6 * * *,,90s,,", "grace must be whole minutes, such as 20m, 2h or 1d"],
    ["4,,0 6 * * *,Mars,,,", "zone must be the name of a time zone, such as Europe/Berlin"],
    ["5,,,UTC,,,", "zone needs cron"],
    ["5,,,,,2,2026-06-03", "weeks needs cron; weeksFrom needs cron"],
    ["5,,0 10 * * 3,,,2,", "weeksFrom must be a day of a week with runs, such as 2026-01-05"],
    ["6,true", "the header has 7 cells, this line 2"],
  ];
  const header = "scheduleId,watched,cron,zone,grace,weeks,weeksFrom";
  const lines = [header, "1,,,,,,", ...wrong.map(([line]) => line)];
  const { schedules, issues } = await read(lines.join("\n"));
  assertEquals(schedules.map(({ scheduleId }) => scheduleId), [1]);
  assertEquals(issues.map(({ line }) => line), wrong.map((_, at) => at + 3));
  for (const [at, { issue }] of issues.entries()) assertStringIncludes(issue, wrong[at][1]);
});

Deno.test("readScheduleFile: a file that is no such CSV gets one sentence", async () => {
  const files = {
    "": "the file is empty",
    "name\nx": "line 1: the column scheduleId is missing",
    "scheduleId,name,name\n1,x,y": "line 1: the column name appears twice",
  };
  for (const [text, words] of Object.entries(files)) {
    await assertRejects(() => read(text), CsvError, words);
  }
});
