import { assertEquals } from "@std/assert";
import { readEntry } from "../../../../server/store/import/entries.ts";
import { importValues } from "../../../../server/store/import/import_values.ts";
import { storeOn } from "../../../../server/store/store.ts";
import { fileSet, run } from "../rows.ts";
import { withSqlite } from "../sqlite/with_sqlite.ts";

function faultsOf(json: unknown, scheduleId?: number): readonly string[] {
  const entry = readEntry(json, scheduleId);
  return "issues" in entry ? entry.issues : [];
}

Deno.test("readEntry: stores file sets and runs as they came, whatever is missing", () => {
  for (const row of [fileSet(1), { name: "Payroll", id: "7" }, { id: "7", owner: null, x: [1] }]) {
    assertEquals(readEntry(row), { fileSet: row });
  }
  assertEquals(readEntry({ name: "Payroll" }), { fileSet: { id: "Payroll", name: "Payroll" } });
  for (
    const row of [
      run(1),
      { id: 1, startTime: "2026-11-24T06:00:00.814456+00:00", endTime: "2026-11-24T06:00:40+0000" },
      { id: 1, recipients: null, attachmentSize: null, ownerId: null, more: {} },
      { id: 1, startTime: "", recipients: [{ emailAddress: "a@x.example" }] },
    ]
  ) {
    assertEquals(readEntry(row, 5), { scheduleId: 5, run: row } as object);
    assertEquals(readEntry({ ...row, scheduleId: 0 }), { scheduleId: 0, run: row } as object);
  }
  // Times in milliseconds since 1970 become texts.
  const entry = readEntry({ id: 1, startTime: 1795932000000, endTime: null }, 5);
  const expected = { id: 1, startTime: "2026-11-29T06:00:00.000Z", endTime: null };
  assertEquals(entry, { scheduleId: 5, run: expected } as object);
});

Deno.test("readEntry: names everything that is wrong", () => {
  const whole = "must be a whole number within 2^53";
  const wrong: Readonly<Record<string, readonly [value: unknown, fault: string]>> = {
    id: [1, "must be a text"],
    description: ["a\0", "must not contain the NUL character"],
    created: ["2025-02-30T00:00:00Z", "is a date or a time that does not exist"],
    createdBy: [1.5, whole],
    updated: [5, "must be a date-time"],
    updatedBy: ["7", whole],
    owner: ["\ud800", "must not contain half of a surrogate pair"],
    fileCount: [2 ** 53, whole],
  };
  const all = Object.entries(wrong);
  const members = Object.fromEntries(all.map(([name, [value]]) => [name, value]));
  const faults = all.map(([name, [, fault]]) => `${name} ${fault}`);
  assertEquals(faultsOf({ ...fileSet(1), ...members }), faults);
  const recipients = [{ userId: 1, displayName: null, emailAddress: 3 }, "ada"];
  const faulty = { ...run(1), id: null, automated: "yes", startTime: "at six", recipients };
  assertEquals(faultsOf(faulty), [
    "startTime must be a date-time with a zone, like 2026-01-31T08:00:00Z",
    "automated must be true or false",
    "id is missing",
    "scheduleId is missing, and there is no --schedule",
    "recipients[0].emailAddress must be a text",
    "recipients[1] must be an object",
  ]);
  assertEquals(faultsOf({ ...run(1), scheduleId: "x", recipients: "Ada" }), [
    `scheduleId ${whole}`,
    "recipients must be a list",
  ]);
});

Deno.test("readEntry: refuses inexact numbers, runs of another schedule, and what is no row", () => {
  const more = { sizes: [1.5, { bytes: 2 ** 53 }] };
  const recipients = [{ userId: 1, team: -(2 ** 53) }];
  const cases: [json: unknown, faults: string[], scheduleId?: number][] = [
    [{ ...fileSet(1), more }, ["more.sizes[1].bytes must be within 2^53"]],
    [{ ...run(1), scheduleId: 5, recipients, more: Infinity }, [
      "more must be within 2^53",
      "recipients[0].team must be within 2^53",
    ]],
    [{ ...run(1), scheduleId: 5 }, ["scheduleId is 5, but --schedule is 6"], 6],
    [{ ...run(1), scheduleId: -5 }, ["scheduleId must not be negative"]],
    [{ ...run(1), id: "x" }, ["id must be a whole number within 2^53"], 5],
    [{}, ["needs an id or a name (a file set), or a scheduleId (a run)"]],
    ...[null, 1, "x", [], [fileSet(1)]].map((json): typeof cases[0] => [
      json,
      ["is not an object"],
    ]),
  ];
  for (const [json, faults, scheduleId] of cases) assertEquals(faultsOf(json, scheduleId), faults);
});

Deno.test("importValues: what comes before the first entries is done once, if there are any", () =>
  withSqlite(async (database) => {
    let calls = 0;
    const take = async (...rows: unknown[]) => {
      const values = rows.map((value) => ({ location: "", value }));
      await importValues(storeOn(database), ReadableStream.from([values]), {
        batch: 1,
        beforeFirst: () => Promise.resolve(void calls++),
        onBatch: () => {},
        onIssue: () => {},
      });
      return calls;
    };
    assertEquals([await take({}), await take(fileSet(1), fileSet(2), fileSet(3))], [0, 1]);
  }));
