import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ConfigurationError } from "../../lib/errors.ts";
import { csvStream, ndjsonStream, recipientRows, unguardedCell } from "../../lib/export.ts";
import { fileSetColumns, recipientColumns } from "../../lib/fields.ts";
import { makeFileSets, makeRuns } from "../../lib/testing/mod.ts";
import { setUp } from "./client/client_setup.ts";

function textOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return new Response(stream).bytes().then((bytes) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  );
}

function csv(rows: object[], columns: string[], bom = false): Promise<string> {
  return textOf(csvStream(rows, { columns, bom }));
}

/** Reads CSV by the letter of RFC 4180, and keeps every character of a quoted cell. */
function readCsv(text: string): string[][] {
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const rows: string[][] = [[]];
  let end = 0;
  for (const match of text.matchAll(cells)) {
    const [whole, quoted, plain, separator] = match;
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (separator !== ",") rows.push([]);
    end += whole.length;
  }
  assertEquals(end, text.length, `no CSV from character ${end} on`);
  return rows.slice(0, -1);
}

Deno.test("csvStream: a list of columns that names none is refused", () => {
  for (const columns of [[], undefined as unknown as string[]]) {
    assertThrows(() => csvStream([], { columns }), ConfigurationError, "columns must be a list");
  }
});

Deno.test("csvStream: a head, a line for each row, empty cells for missing values", async () => {
  const rows = [{ a: 1, b: true, c: null }, { a: -5, b: false, d: "x" }, {}];
  assertEquals(await csv(rows, ["a", "b", "c"]), "a,b,c\r\n1,true,\r\n-5,false,\r\n,,\r\n");
  assertEquals(await csv([], ["a", "b"]), "a,b\r\n");
});

Deno.test("csvStream: no text can be taken for a formula, and numbers stay numbers", async () => {
  const risky = ["=1+1", "+1", "-1", "@SUM(A1)", "\t1", "\r1", "\n1", " =1", "＝1", "＠x", "-"];
  for (const text of risky) {
    const [, row] = readCsv(await csv([{ a: text, b: -7 }], ["a", "b"]));
    assertEquals(row, [`'${text}`, "-7"]);
  }
  const [head] = readCsv(await csv([], ["=cmd()"]));
  assertEquals(head, ["'=cmd()"]);
});

Deno.test("csvStream: whatever the texts, a reader of CSV gets them back", async () => {
  const texts = fc.array(
    fc.record({ a: fc.string({ unit: "grapheme" }), b: fc.stringMatching(/^[",;\t\r\n =x']*$/) }),
    { minLength: 1, maxLength: 5 },
  );
  await fc.assert(fc.asyncProperty(texts, async (rows) => {
    const [, ...read] = readCsv(await csv(rows, ["a", "b", "a"]));
    assertEquals(
      read.map((cells: string[]) => cells.map(unguardedCell)),
      rows.map(({ a, b }) => [a, b, a]),
    );
    const cells: string[] = read.flat().flatMap((cell: string) => cell.split(/[;\t\r\n]/));
    assert(cells.every((cell) => !/^[\s]*[=+\-@]/.test(cell)), "a formula");
  }));
});

Deno.test("csvStream: a recipient is named by what is known", async () => {
  const [bob, cleo] = [{ userId: 8, emailAddress: "bob@b.example" }, {
    emailAddress: "cleo@c.test",
  }];
  const recipients = [{ userId: 7 }, bob, { displayName: "Ann", userId: 9 }, cleo];
  const text = await csv([{ recipients }, { recipients: [{}] }], ["recipients"]);
  assertEquals(text, "recipients\r\n7; 8 <bob@b.example>; Ann; <cleo@c.test>\r\n[{}]\r\n");
});

Deno.test("recipientRows: one row a recipient, and a run without any is not lost", async () => {
  const runs = [...makeRuns(1), { id: 9, status: "success", recipients: [] }, { id: 10 }];
  const stream = csvStream(runs.flatMap(recipientRows), { columns: recipientColumns() });
  assertEquals(
    await textOf(stream),
    "id,startTime,status,userId,displayName,emailAddress\r\n" +
      "1,2025-01-02T06:00:00.000Z,success,1,Ann,ann@example.com\r\n" +
      "1,2025-01-02T06:00:00.000Z,success,2,Bob,bob@example.com\r\n" +
      "9,,success,,,\r\n10,,,,,\r\n",
  );
});

Deno.test("recipientRows: nothing that a recipient has besides replaces what the run has", () => {
  const recipient = { emailAddress: "ann@example.com", id: 5, status: "bounced" };
  const run = { id: 1, status: "success", userId: 7, recipients: [recipient] };
  const [row] = recipientRows(run);
  assertEquals([row.id, row.status, row.userId], [1, "success", undefined]);
});

Deno.test("ndjsonStream: one object a line, unknown fields included", async () => {
  const rows = [{ id: 1, text: "two\nlines" }, { id: 2, extra: { a: [1] } }];
  const lines = (await textOf(ndjsonStream(rows))).split("\n");
  assertEquals(lines.pop(), "");
  assertEquals(lines.map((line) => JSON.parse(line)), rows);
});

Deno.test("csvStream: asks for rows only as fast as it is read", async () => {
  const { client, service } = setUp({ fileSets: makeFileSets(5000) });
  const stream = csvStream(client.fileSets.search(), { columns: fileSetColumns() });
  const reader = stream.getReader();
  await new Promise((done) => setTimeout(done, 0));
  assertEquals(service.requests.length, 0);
  await reader.read();
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done, 0));
  assert(service.requests.length <= 3, `${service.requests.length} requests for one chunk`);
  await reader.cancel();
});

Deno.test("csvStream: cancelled while it waits for a page, it calls that page off", async () => {
  let waiting = 0;
  const { client, service, clock } = setUp({ fileSets: makeFileSets(5000) }, {
    fetch: (url, init) => {
      if (url.includes("offset=0")) return service.fetch(url, init);
      waiting++;
      return new Promise((_, reject) => {
        init.signal?.addEventListener("abort", () => {
          waiting--;
          reject(init.signal?.reason);
        });
      });
    },
  });
  const reader = csvStream(client.fileSets.search(), { columns: ["id"] }).getReader();
  const read = reader.read();
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done, 0));
  assertEquals(waiting, 1);
  await reader.cancel();
  assertEquals((await read).done, true);
  assertEquals([waiting, clock.pending], [0, 0]);
});
