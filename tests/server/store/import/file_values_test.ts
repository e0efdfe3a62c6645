import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { anyText } from "../../../any_text.ts";
import type { ImportValue } from "../../../../server/store/import/entries.ts";
import { splitFile } from "../../../../server/store/import/file_values.ts";

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]) {
  let at = 0;
  for (const size of sizes) {
    yield bytes.slice(at, at + size);
    at += size;
  }
  if (at < bytes.length) yield bytes.slice(at);
}

async function valuesOf(
  text: string | Uint8Array,
  sizes: readonly number[] = [],
): Promise<ImportValue[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return (await Array.fromAsync(splitFile(inChunks(bytes, sizes)))).flat();
}

Deno.test("splitFile: gives each line that is not blank, with its number", async () => {
  assertEquals(await valuesOf('{"a":1}\r\n\n  \n{"b":2}\n{"c":3}'), [
    { location: "line 1", value: { a: 1 } },
    { location: "line 4", value: { b: 2 } },
    { location: "line 5", value: { c: 3 } },
  ]);
});

Deno.test("splitFile: gives the entries of a document of many lines", async () => {
  const list = [{ id: 1, text: 'a]}"\\"[{' }, { id: 2, list: [{ id: 3 }], more: {} }];
  for (
    const text of [
      JSON.stringify(list, null, 2),
      JSON.stringify({ fileSets: list, pageContext: { total: 2 } }, null, 1),
      `\n ${JSON.stringify({ pageContext: {}, fileSets: list }, null, "\t")}`,
    ]
  ) {
    assertEquals(await valuesOf(text), [
      { location: "entry 1 of line 1", value: list[0] },
      { location: "entry 2 of line 1", value: list[1] },
    ]);
  }
  const [{ location, issue }] = await valuesOf('[{"id":1},\n{"id"');
  assertEquals([location, /^is not valid JSON in UTF-8 \(line 2/.test(issue!)], ["line 1", true]);
});

Deno.test("splitFile: names a line that is not UTF-8", async () => {
  const bytes = new Uint8Array([...new TextEncoder().encode('{"a":1}\n"'), 0xe9, 0x22]);
  assertEquals((await valuesOf(bytes))[1], {
    location: "line 2",
    issue: "is not valid JSON in UTF-8",
  });
});

Deno.test("splitFile: gives the same values whatever the chunks", async () => {
  const rows = fc.array(fc.record({ id: fc.integer(), text: anyText() }), {
    maxLength: 6,
  });
  const form = fc.constantFrom(
    (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n"),
    (rows: unknown[]) => JSON.stringify(rows),
    (rows: unknown[]) => JSON.stringify(rows, null, 2),
    (rows: unknown[]) => JSON.stringify({ fileSets: rows, pageContext: {} }, null, 2),
  );
  const sizes = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 40 });
  await fc.assert(fc.asyncProperty(rows, form, sizes, async (rows, write, sizes) => {
    assertEquals(await valuesOf(write(rows), sizes), await valuesOf(write(rows)));
  }));
});

Deno.test("splitFile: skips a byte order mark", async () => {
  const values = await valuesOf('\ufeff{"a":1}\n{"b":2}');
  assertEquals(values.map(({ value }) => value), [{ a: 1 }, { b: 2 }]);
});

Deno.test("splitFile: cells of CSV have the types of their fields, or stay texts", async () => {
  const columns = "id,status,automated,cardCount,recipientCount";
  const rows = [columns, "1,true,true,7,0", "2,12,false,-7,", "x,,yes,7.5,"];
  assertEquals((await valuesOf(rows.join("\n"))).map(({ value, issue }) => issue ?? value), [
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
});

Deno.test("splitFile: an empty stream has no values", async () => {
  assertEquals(await valuesOf(""), []);
  assertEquals(await valuesOf("\n \n"), []);
});

Deno.test("splitFile: closes the stream when the reader leaves", async () => {
  let isOpen = true;
  async function* endless() {
    try {
      while (true) yield new TextEncoder().encode("{}\n");
    } finally {
      isOpen = false;
    }
  }
  for await (const _ of splitFile(endless())) break;
  assert(!isOpen);
});
