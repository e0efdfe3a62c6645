import { assertEquals, assertRejects } from "@std/assert";
import { setImmediate } from "node:timers";
import fc from "fast-check";
import { anyText } from "../../../any_text.ts";
import { splitFile } from "../../../../server/store/import/file_values.ts";

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
  // Short requests are answered while a long file is read that came as one chunk.
  for (const long of [`id,name\n1,${"x".repeat(99_999)}`, "{}\n".repeat(9999)]) {
    const answered = new Promise<string>((resolve) => setImmediate(() => resolve("answered")));
    const read = valuesOf(long).then(() => "read");
    assertEquals(await Promise.race([answered, read]), "answered");
  }
});
