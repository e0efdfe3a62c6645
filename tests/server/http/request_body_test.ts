import { assert, assertEquals } from "@std/assert";
import { growthDuring } from "../../memory.ts";
import { MAX_FORM_BYTES, readFormBody } from "../../../server/http/request_body.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

function formOf(body: BodyInit): Request {
  return new Request("http://localhost/", { method: "POST", headers: FORM, body });
}

/** What a server's handler makes of a form whose bytes come one by one, each in a chunk of its own. */
async function asChunks<T>(bytes: number, handle: (request: Request) => Promise<T>): Promise<T> {
  const handled = Promise.withResolvers<T>();
  const listening = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using server = Deno.serve(listening, async (request) => {
    await handle(request).then(handled.resolve, handled.reject);
    return new Response();
  });
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  const head = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${FORM["content-type"]}\r\n` +
    "transfer-encoding: chunked\r\n\r\n";
  const send = (text: string) => connection.write(new TextEncoder().encode(text));
  await send(head);
  for (let sent = 0; sent < bytes; sent++) await send("1\r\nx\r\n");
  await send("0\r\n\r\n");
  await connection.read(new Uint8Array(1000));
  return await handled.promise;
}

Deno.test("readFormBody: reads a form of the longest length", async () => {
  const value = "x".repeat(MAX_FORM_BYTES - "token=".length);
  assertEquals((await readFormBody(formOf(`token=${value}`))).get("token"), value);
});

Deno.test("readFormBody: joins what comes in pieces of any length", async () => {
  const text = `token=${"ü".repeat(5000)}`;
  const bytes = new TextEncoder().encode(text);
  const pieces = [0, 1, 1000, 1023, 1024, 4096, bytes.length];
  const body = ReadableStream.from(
    pieces.slice(1).map((end, index) => bytes.slice(pieces[index], end)),
  );
  assertEquals((await readFormBody(formOf(body))).get("token"), "ü".repeat(5000));
});

Deno.test("readFormBody: a byte in each chunk needs no more memory than all in one", async () => {
  const bytes = 60_000;
  const mib = await growthDuring(async () => {
    const form = await asChunks(bytes, readFormBody);
    assertEquals([...form.keys()], ["x".repeat(bytes)]);
  });
  // A chunk that is kept keeps the buffer that it was read into: that was over 600 MiB.
  assert(mib < 350, `${mib} MiB`);
});
