import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { importValues, readEntry } from "../../../../server/store/import/import_values.ts";
import {
  readSheetTime,
  type SheetTimeOptions,
  splitFile,
} from "../../../../server/store/import/file_values.ts";
import type { Store } from "../../../../server/store/store.ts";
import { anyText } from "../../../any_text.ts";
import { fileSet, run } from "../rows.ts";

/** The bytes in chunks of these sizes, in turn; without sizes, in one. */
async function* inChunks(bytes: Uint8Array, sizes: readonly number[]) {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    yield bytes.slice(at, at + size);
    at += size;
  }
}

async function valuesOf(file: string | Uint8Array, sizes: readonly number[] = []) {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  return (await Array.fromAsync(splitFile(inChunks(bytes, sizes)))).flat();
}

/** Each way to write rows, and where the n-th one of them is. */
const FORMS: readonly [(rows: unknown[]) => string, (n: number) => string][] = [
  // With blank lines in between.
  [(rows) => rows.map((row) => JSON.stringify(row)).join("\n \r\n"), (n) => `line ${2 * n - 1}`],
  ...[0, 2, "\t"].flatMap((blanks): typeof FORMS =>
    [
      (rows: unknown[]) => rows,
      (fileSets: unknown[]) => ({ fileSets, pageContext: {} }),
      (fileSets: unknown[]) => ({ pageContext: {}, fileSets }),
    ].map((document) => [
      (rows) => ` ${JSON.stringify(document(rows), null, blanks)}\n`,
      (n) => `entry ${n} of line 1`,
    ])
  ),
];

Deno.test("splitFile: gives each row with its place, in whatever form and chunks", async () => {
  const list = fc.array(fc.dictionary(anyText(), anyText()));
  const row = fc.record({ id: fc.integer(), text: anyText(), list });
  const rows = fc.array(row, { maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 });
  const mark = fc.constantFrom("", "\ufeff");
  const forms = fc.oneof(fc.constant(FORMS[0]), fc.constantFrom(...FORMS));
  await fc.assert(
    fc.asyncProperty(rows, forms, sizes, mark, async (rows, [write, placeOf], sizes, mark) => {
      const expected = rows.map((row, at) => ({
        location: placeOf(at + 1),
        value: JSON.parse(JSON.stringify(row)),
      }));
      assertEquals(await valuesOf(mark + write(rows), sizes), expected);
    }),
  );
});

Deno.test("splitFile: names a line that is not UTF-8, and where a document ends too early", async () => {
  const bytes = new Uint8Array([...new TextEncoder().encode('{"a":1}\n"'), 0xe9, 0x22]);
  const issue = "is not valid JSON in UTF-8";
  assertEquals((await valuesOf(bytes))[1], { location: "line 2", issue });
  const [{ location, issue: place }] = await valuesOf('[{"id":1},\n{"id"');
  assertEquals([location, place?.startsWith(`${issue} (line 2`)], ["line 1", true]);
});

Deno.test("splitFile: cells of CSV have the types of their fields, or stay texts", async () => {
  const columns = "id,status,automated,cardCount,recipientCount";
  const rows = [columns, "1,true,TRUE,7,0", "2,12,false,-7,", "x,,yes,7.5,"];
  assertEquals((await valuesOf(rows.join("\n"))).map(({ value }) => value), [
    { id: 1, status: "true", automated: true, cardCount: 7, recipientCount: 0 },
    { id: 2, status: "12", automated: false, cardCount: -7 },
    { id: "x", automated: "yes", cardCount: "7.5" },
  ]);
});

Deno.test("splitFile: names the lines of CSV, whatever is blank or in quotes before", async () => {
  const text = '\n\nsep=;\r\nid;name\r\n\r\n1;"a\n\n""b"";"\r\n2;x\n;\n\n3;y;z';
  assertEquals(await valuesOf(text), [
    { location: "line 6", value: { id: "1", name: 'a\n\n"b";' }, issue: undefined },
    { location: "line 9", value: { id: "2", name: "x" }, issue: undefined },
    { location: "line 12", value: {}, issue: "the header has 2 cells, this line 3" },
  ]);
  for (const bad of ['id,name\n1,"a', 'id,name\n1,a"b"\n', 'id,name\n1,"a"b\n']) {
    await assertRejects(() => valuesOf(bad), Error, "line 2: a quote is not closed");
  }
  const wide = `id${",x".repeat(1000)}`;
  await assertRejects(() => valuesOf(wide), Error, "line 1: it names 1001 columns, more than 1000");
});

Deno.test("readSheetTime: reads dates and times of spreadsheets, and names what can't be read", () => {
  const read: [cell: string, value: string, SheetTimeOptions?][] = [
    ["28.11.2026 05:00", "2026-11-28T05:00:00.000Z"],
    ["11/28/2026 5:07:09 PM", "2026-11-28T17:07:09.000Z"],
    ["12.12.2026, 12:30 am", "2026-12-12T00:30:00.000Z"],
    ["13-12-2026", "2026-12-13T00:00:00.000Z"],
    ["2026-11-28T05:30:01.5", "2026-11-28T05:30:01.000Z"],
    ["2026-11-28 05:30", "2026-11-28T04:30:00.000Z", { zone: "Europe/Berlin" }],
    ["03.04.2026", "2026-04-03T00:00:00.000Z", { dates: "day-first" }],
    ["3/4/2026", "2026-03-04T00:00:00.000Z", { dates: "month-first" }],
    // Another check reads these, or refuses them.
    ["28.11.2026 105:00", "28.11.2026 105:00"],
    ["128.11.2026", "128.11.2026"],
    ["28.111.2026", "28.111.2026"],
    ["2026-11-28T05:30:00Z", "2026-11-28T05:30:00Z"],
    ["at six", "at six"],
  ];
  for (const [cell, value, options = {}] of read) {
    assertEquals(readSheetTime(cell, options), { value }, cell);
  }
  const missing = "is a date or a time that does not exist";
  const ambiguous = "is ambiguous: say whether dates are day-first or month-first";
  const faulty: [cell: string, fault: string, SheetTimeOptions?][] = [
    ["03.04.2026", ambiguous],
    ["12.11.2026", ambiguous],
    ["31.02.2026", missing],
    ["28.11.2026", missing, { dates: "month-first" }],
    ["28.11.2026 24:00", missing],
    ["28.11.2026 05:60", missing],
  ];
  for (const [cell, fault, options = {}] of faulty) {
    assertEquals(readSheetTime(cell, options), { issue: `${cell} ${fault}` }, cell);
  }
});

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

Deno.test("importValues: ends a batch after many pieces of a file, as entries may be long", async () => {
  const sizes: unknown[] = [];
  const load: Store["load"] = async (batches) => {
    for await (const { fileSets } of batches) sizes.push(fileSets?.length);
  };
  const contents = () => Promise.resolve(undefined);
  async function* pieces() {
    const isWhole = (at: number) => at % 1100 === 0;
    for (let at = 0; at <= 2200; at++) {
      yield isWhole(at) ? [{ location: "", value: fileSet(at) }] : [];
    }
  }
  await importValues({ load, contents } as Store, pieces(), { onBatch() {}, onIssue() {} });
  assertEquals(sizes, [2, 1]);
});
