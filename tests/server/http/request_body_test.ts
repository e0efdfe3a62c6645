import { assert, assertEquals, assertRejects } from "@std/assert";
import { growthDuring } from "../../memory.ts";
import { isProblemError, ProblemError } from "../../../server/http/problem.ts";
import { readFormBody, readJsonBody } from "../../../server/http/request_body.ts";

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
  const value = "x".repeat(64 * 1024 - "token=".length);
  assertEquals((await readFormBody(formOf(`token=${value}`))).get("token"), value);
});

/** A request with these headers; without them, `fetch` would choose a content type. */
function withHeaders(headers: Record<string, string>, body = "{}"): Request {
  return new Request("http://localhost/", {
    method: "POST",
    headers,
    body: new TextEncoder().encode(body),
  });
}

async function statusOf(reading: Promise<unknown>): Promise<number> {
  const error = await assertRejects(() => reading);
  if (!isProblemError(error)) throw error;
  return error.problem.status;
}

Deno.test("readJsonBody: the content type counts in any case, and with any parameters", async () => {
  for (
    const type of [
      "APPLICATION/JSON",
      "application/json; charset=UTF-8",
      'application/json;Charset="utf-8"',
      "application/json; profile=x",
      " application/json ;",
    ]
  ) {
    assertEquals(await readJsonBody(withHeaders({ "content-type": type })), {}, type);
  }
  const identity = { "content-type": "application/json", "content-encoding": "identity" };
  assertEquals(await readJsonBody(withHeaders(identity)), {});
});

Deno.test("readJsonBody: another type or encoding is 415", async () => {
  for (
    const type of [
      "text/json",
      "application/x-www-form-urlencoded",
    ]
  ) {
    assertEquals(await statusOf(readJsonBody(withHeaders({ "content-type": type }))), 415, type);
  }
  const gzip = { "content-type": "application/json", "content-encoding": "gzip" };
  const encoded = await assertRejects(() => readJsonBody(withHeaders(gzip)), ProblemError);
  const { status, headers } = encoded.problem;
  assertEquals([status, headers], [415, { "accept-encoding": "identity" }]);
});

Deno.test("readFormBody: the content type counts in any case, and any other is 415", async () => {
  const upper = { "content-type": "Application/X-WWW-Form-URLEncoded; charset=UTF-8" };
  assertEquals((await readFormBody(withHeaders(upper, "a=1"))).get("a"), "1");
  for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain"]) {
    assertEquals(await statusOf(readFormBody(withHeaders({ "content-type": type }))), 415, type);
  }
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
    const form = await asChunks(bytes, (request) => readFormBody(request, 300_000));
    assertEquals([...form.keys()], ["x".repeat(bytes)]);
  });
  // A chunk that is kept keeps the buffer that it was read into: that was over 600 MiB.
  assert(mib < 350, `${mib} MiB`);
});

Deno.test("readJsonBody: a short body that does not arrive in time is 408", async () => {
  const status = Promise.withResolvers<number | undefined>();
  const listening = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using server = Deno.serve(listening, async (request) => {
    await readJsonBody(request, 20).catch((error) =>
      status.resolve(isProblemError(error) ? error.problem.status : undefined)
    );
    return new Response();
  });
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  const head = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
  await connection.write(new TextEncoder().encode(`${head}content-length: 20\r\n\r\n{`));
  assertEquals(await status.promise, 408);
});

Deno.test("readJsonBody: a body of blanks is empty", async () => {
  const headers = { "content-type": "application/json" };
  const request = new Request("http://localhost/", { method: "POST", headers, body: " \n" });
  await assertRejects(() => readJsonBody(request), ProblemError, "The body is empty");
});
