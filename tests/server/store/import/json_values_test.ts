import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { anyText } from "../../../any_text.ts";
import { cut, type JsonValue, type Position } from "../../../../server/store/import/json_values.ts";

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

Deno.test("cut: gives a document of many lines as it is", async () => {
  const list = [{ id: 1, text: 'a]}"\\"[{' }, { id: 2, list: [{ id: 3 }], more: {} }];
  for (
    const text of [
      JSON.stringify(list, null, 2),
      JSON.stringify({ fileSets: list, pageContext: { total: 2 } }, null, 1),
      `\n ${JSON.stringify({ pageContext: {}, fileSets: list }, null, "\t")}`,
      '[{"id":1},\n{"id"',
    ]
  ) {
    assertEquals(textsOf(await valuesOf(text)), [text]);
  }
});

Deno.test("cut: leaves whole answers in one line each to the reader", async () => {
  const texts = ['{"fileSets":[{"id":"a"}],"pageContext":{}}', '[{"id":1},{"id":2}]', "[]"];
  assertEquals(textsOf(await valuesOf(`${texts.join("\n")}\n`)), texts);
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
  assertEquals(textsOf(await valuesOf('\ufeff{"a":1}\n{"b":2}')), ['{"a":1}', '{"b":2}']);
});

Deno.test("cut: an empty stream has no values", async () => {
  assertEquals(await valuesOf(""), []);
  assertEquals(await valuesOf("\n \n"), []);
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
