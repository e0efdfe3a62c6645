import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { anyText } from "../../../any_text.ts";
import {
  cut,
  CutError,
  type JsonValue,
  type Position,
} from "../../../../server/store/import/json_values.ts";

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
  start?: Position,
): Promise<JsonValue[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return (await Array.fromAsync(cut(inChunks(bytes, sizes), start))).flat();
}

function textsOf(values: readonly JsonValue[]): string[] {
  return values.map((value) => new TextDecoder().decode(value.bytes));
}

Deno.test("cut: gives each line that is not blank, with its number", async () => {
  const values = await valuesOf('{"a":1}\r\n\n  \n{"b":2}\n{"c":3}');
  assertEquals(textsOf(values), ['{"a":1}\r', '{"b":2}', '{"c":3}']);
  assertEquals(values.map((value) => value.line), [1, 4, 5]);
});

Deno.test("cut: gives the objects of a document's list, wherever its lines break", async () => {
  const list = [{ id: 1, text: 'a]}"\\"[{' }, { id: 2, list: [{ id: 3 }], more: {} }];
  for (
    const text of [
      JSON.stringify(list),
      JSON.stringify(list, null, 2),
      JSON.stringify({ fileSets: list, pageContext: { total: 2 } }, null, 1),
      JSON.stringify({ pageContext: { next: "fileSets", list: [{}] }, fileSets: list }, null, 2),
      `\n ${JSON.stringify({ fileSets: list, pageContext: {} }, null, "\t")}`,
    ]
  ) {
    assertEquals(textsOf(await valuesOf(text)).map((each) => JSON.parse(each)), list, text);
  }
});

Deno.test("cut: gives several lists one after the other", async () => {
  assertEquals(textsOf(await valuesOf('[{"id":1}]\n[]\n[{"id":2},{"id":3}]\n')).length, 3);
});

Deno.test("cut: leaves a whole answer in one line to the reader", async () => {
  const text = '{"fileSets":[{"id":"a"}],"pageContext":{}}';
  assertEquals(textsOf(await valuesOf(`${text}\n${text}\n`)), [text, text]);
});

Deno.test("cut: gives the same values whatever the chunks", async () => {
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
    const whole = await valuesOf(write(rows));
    assertEquals(textsOf(whole).map((each) => JSON.parse(each)), rows);
    const chunked = await valuesOf(write(rows), sizes);
    assertEquals(
      chunked.map(({ line, end }) => [line, end]),
      whole.map(({ line, end }) => [line, end]),
    );
    assertEquals(textsOf(chunked), textsOf(whole));
  }));
});

Deno.test("cut: continues after any line", async () => {
  const text = '{"a":"é"}\n\n{"b":2}\n{"c":3}\n';
  const bytes = new TextEncoder().encode(text);
  const whole = await valuesOf(text);
  for (const [index, { end, line }] of whole.entries()) {
    const rest = await valuesOf(bytes.slice(end), [], { position: end, line: line + 1 });
    assertEquals(textsOf(rest), textsOf(whole.slice(index + 1)));
    assertEquals(rest.map((value) => value.end), whole.slice(index + 1).map((value) => value.end));
  }
});

Deno.test("cut: skips a byte order mark", async () => {
  for (const text of ['\ufeff{"a":1}\n{"b":2}', '\ufeff[{"a":1},{"b":2}]']) {
    assertEquals(textsOf(await valuesOf(text)), ['{"a":1}', '{"b":2}']);
  }
});

Deno.test("cut: names the line where a document breaks off, or contains something else", async () => {
  for (
    const [text, line] of [
      ['[{"id":1},\n{"id"', 2],
      ['[{"id":1},\n{"id":2}', 2],
      ["[1,2]", 1],
      ['[{},\n\n"x"]', 3],
      ["[[{}]]", 1],
      ['{"pageContext":\n{}}', 2],
    ] as const
  ) {
    const error = await assertRejects(() => valuesOf(text), CutError);
    assertEquals((error as CutError).line, line, text);
  }
});

Deno.test("cut: an empty stream has no values", async () => {
  assertEquals(await valuesOf(""), []);
  assertEquals(await valuesOf("\n \n"), []);
  assertEquals(await valuesOf("[]"), []);
});

Deno.test("cut: closes the stream when the reader leaves", async () => {
  let isOpen = true;
  async function* endless() {
    try {
      while (true) yield new TextEncoder().encode("{}\n");
    } finally {
      isOpen = false;
    }
  }
  for await (const _ of cut(endless())) break;
  assert(!isOpen);
});
