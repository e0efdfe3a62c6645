import { assertEquals, assertRejects } from "@std/assert";
import { readPeopleFile } from "../../../server/schedules/leaver_file.ts";
import { CsvError } from "../../../server/store/import/csv_rows.ts";

const NOW = Date.UTC(2026, 10, 23);
const read = (...lines: string[]) => readPeopleFile(new Blob([lines.join("\n")]).stream(), NOW);

Deno.test("readPeopleFile: reads an export of people back, its masked addresses by their user ids", async () => {
  const read7 = { userId: 7, address: null, leftAt: NOW };
  const people = [read7, { userId: null, address: "bo@example.com", leftAt: NOW }];
  const file = await read(
    "scheduleId,userId,displayName,emailAddress,first,last,runs,receiving",
    "101,7,Ada,a…@example.com,2026-09-25T06:00:05.000Z,2026-11-23T06:00:13.000Z,60,true",
    "102,7,Ada,a…@example.com,2026-09-25T06:00:05.000Z,2026-11-23T06:00:13.000Z,60,true",
    "101,,Bo,Bo@example.com,2026-09-25T06:00:05.000Z,2026-11-23T06:00:13.000Z,60,true",
  );
  assertEquals([file.people, file.issues], [people, []]);
});

Deno.test("readPeopleFile: names lines that fit nobody, or say two days of one person", async () => {
  const day = "left must be a day, such as 2026-09-30, or empty";
  const lines: [line: string, issue?: string][] = [
    ["userId;emailAddress;left"],
    ["9007199254740993;;", "userId must be a whole number up to 9,007,199,254,740,991"],
    [";a…@example.com;", "emailAddress must be a whole email address, not a masked one"],
    ["7;;2026-09-30"],
    ["7;;2026-08-30", "left differs from an earlier line with this person"],
    ["7;;2026-09-30"],
    ["8;;2026-02-30", day],
    ["8;;1 May 2026", day],
  ];
  const { issues } = await read(...lines.map(([line]) => line));
  const expected = lines.flatMap(([, issue], at) => issue ? { line: at + 1, issue } : []);
  assertEquals(issues, expected);
});

Deno.test("readPeopleFile: refuses a file without people, by which all staff would have left", async () => {
  for (const text of ["", "userId\n", "userId,left\n,\n\n"]) {
    await assertRejects(() => read(text), CsvError);
  }
});
