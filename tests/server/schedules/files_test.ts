/** Lists of schedules and of people, as they are typed or come in files. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { csvStream } from "../../../lib/mod.ts";
import {
  FILE_COLUMNS,
  readPeopleFile,
  readScheduleFile,
  SAMPLE_FILE,
  toFileRow,
} from "../../../server/schedules/schedule_file.ts";
import { readScheduleIds } from "../../../server/schedules/schedule_id_list.ts";
import { CsvError } from "../../../server/store/import/csv_rows.ts";

const NOW = Date.UTC(2026, 10, 23);

const streamOf = (...lines: readonly string[]) => new Blob([lines.join("\n")]).stream();
const read = (...lines: readonly string[]) => readScheduleFile(streamOf(...lines), NOW);
const readPeople = (...lines: readonly string[]) => readPeopleFile(streamOf(...lines), NOW);

Deno.test("readScheduleFile: names, owners and plans, from whatever a spreadsheet writes", async () => {
  const cron = ["0 6 * * *", "0 7 * * *"];
  const plan = { cron, zone: "Europe/Berlin", graceMs: 1_200_000, since: NOW, confirmed: NOW };
  const schedules = [
    { scheduleId: 101, watched: 1, settings: { name: "Sales", owner: "Ada", plan } },
    { scheduleId: 102, watched: null, settings: { name: "Claims\nopen", owner: "" } },
  ];
  const file = await read(
    "\uFEFFscheduleId;name;owner;watched;cron;zone;grace\r",
    '101;Sales;Ada;true;"0 6 * * *; 0 7 * * *";Europe/Berlin;20m\r',
    '102;"Claims\nopen";;;;;\r',
    ";;;;;;",
  );
  assertEquals(file, { schedules, issues: [] });
  assertEquals((await read(SAMPLE_FILE)).issues, []);
});

Deno.test("toFileRow: a name, an owner and a plan of every few weeks are read back", async () => {
  const everyWeeks = { n: 2, from: "2026-06-03" };
  const when = { cron: ["0 10 * * 3"], zone: "UTC", graceMs: 600_000, everyWeeks };
  const plan = { ...when, since: NOW, confirmed: NOW };
  const known = { scheduleId: 1, name: "A", owner: "B", watched: 1, plans: [plan] };
  const row = toFileRow({ ...known, lastSuccess: null, nextDue: null } as never);
  const csv = csvStream([row], { columns: FILE_COLUMNS as (keyof typeof row)[] });
  const { schedules, issues } = await readScheduleFile(csv, NOW);
  assertEquals([issues, schedules[0].settings], [[], { name: "A", owner: "B", plan }]);
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
  const { schedules, issues } = await read(header, "1,,,,,,", ...wrong.map(([line]) => line));
  assertEquals(schedules.map(({ scheduleId }) => scheduleId), [1]);
  assertEquals(issues.map(({ line }) => line), wrong.map((_, at) => at + 3));
  for (const [at, { issue }] of issues.entries()) assertStringIncludes(issue, wrong[at][1]);
  const nameless = () => read("name", "x");
  await assertRejects(nameless, CsvError, "line 1: the column scheduleId is missing");
});

Deno.test("readPeopleFile: reads an export of people back, its masked addresses by their user ids", async () => {
  const { people, issues } = await readPeople(
    "scheduleId,userId,displayName,emailAddress,first,last,runs,receiving",
    "101,7,Ada,a…@example.com,2026-09-25T06:00:05.000Z,2026-11-23T06:00:13.000Z,60,true",
    "102,7,Ada,a…@example.com,2026-09-25T06:00:05.000Z,2026-11-23T06:00:13.000Z,60,true",
    "101,,Bo,Bo@example.com,2026-09-25T06:00:05.000Z,2026-11-23T06:00:13.000Z,60,true",
  );
  const ada = { userId: 7, address: null, leftAt: NOW };
  assertEquals([people, issues], [[ada, { ...ada, userId: null, address: "bo@example.com" }], []]);
});

Deno.test("readPeopleFile: names lines that fit nobody, or say two days of one person", async () => {
  const day = "left must be a day, such as 2026-09-30, or empty";
  const lines = [
    ["9007199254740993;;", "userId must be a whole number up to 9,007,199,254,740,991"],
    [";a…@example.com;", "emailAddress must be a whole email address, not a masked one"],
    ["7;;2026-09-30", null],
    ["7;;2026-08-30", "left differs from an earlier line with this person"],
    ["7;;2026-09-30", null],
    ["8;;2026-02-30", day],
    ["8;;1 May 2026", day],
  ] as const;
  const { issues } = await readPeople("userId;emailAddress;left", ...lines.map(([line]) => line));
  assertEquals(issues, lines.flatMap(([, issue], at) => issue ? { line: at + 2, issue } : []));
  // By a file without people, all staff would have left.
  for (const text of ["", "userId\n", "userId,left\n,\n\n"]) {
    await assertRejects(() => readPeople(text), CsvError);
  }
});

Deno.test("readScheduleIds: each id once, from ids and ranges, or all that is wrong with them", () => {
  assertEquals(readScheduleIds("101, 102;101\n103-104 9–10").ids, [9, 10, 101, 102, 103, 104]);
  assertEquals(readScheduleIds([7, 7, 8]), { ids: [7, 8], issue: null });
  assertEquals(readScheduleIds(" "), { ids: [], issue: null });
  const most = Array.from({ length: 5000 }, (_, at) => at + 1);
  assertEquals(readScheduleIds("1-5000 4000-5000"), { ids: most, issue: null });
  const rule = "A schedule id is a whole number from 0 to 9007199254740991";
  const wrong = '"x", "-4", "1.5", "103-101", "1-2-3", "99999999999999999999"';
  assertEquals(readScheduleIds("103 x -4 1.5 103-101 1-2-3 99999999999999999999"), {
    ids: [],
    issue: `must be ids and ranges such as 101,105-112, not ${wrong}. ${rule}`,
  });
  for (const list of ["1-5001", "1-9007199254740991", "1-3000 5000-9000"]) {
    const issue = "must be at most 5,000 schedules at once";
    assertEquals(readScheduleIds(list), { ids: [], issue });
  }
});
