import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProblemError } from "../../../server/http/problem.ts";
import { readFormBody, readJsonBody } from "../../../server/http/request_body.ts";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

/** A request with a body of that type, as bytes: for a text, `fetch` would choose a type. */
function sent(type: string, body: string | ReadableStream = "{}", more: HeadersInit = {}): Request {
  return new Request("http://localhost/", {
    method: "POST",
    headers: { "content-type": type, ...more },
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  });
}

Deno.test("readJsonBody, readFormBody: content types count in any case; others are 415", async () => {
  const taken = [
    "APPLICATION/JSON",
    "application/json; charset=UTF-8",
    'application/json;Charset="utf-8"',
    " application/json ;",
  ];
  for (const type of taken) assertEquals(await readJsonBody(sent(type)), {}, type);
  const upper = sent("Application/X-WWW-Form-URLEncoded; charset=UTF-8", "a=1");
  assertEquals((await readFormBody(upper)).get("a"), "1");
  const refused = [
    () => readJsonBody(sent("text/json")),
    () => readJsonBody(sent(FORM)),
    () => readJsonBody(sent(JSON_TYPE, "{}", { "content-encoding": "gzip" })),
    ...[JSON_TYPE, "multipart/form-data; boundary=x", "text/plain"].map((type) => () =>
      readFormBody(sent(type))
    ),
  ];
  for (const [at, read] of refused.entries()) {
    const { problem }: ProblemError = await assertRejects(read, ProblemError);
    const accept = at === 2 ? "identity" : undefined;
    assertEquals([problem.status, problem.headers?.["accept-encoding"]], [415, accept]);
  }
  const identity = { "content-encoding": "identity" };
  assertEquals(await readJsonBody(sent(JSON_TYPE, "{}", identity)), {});
});

Deno.test("readFormBody: reads the longest form, and joins what comes in pieces of any length", async () => {
  const value = "ü".repeat(5000).padEnd(64 * 1024 - "token=".length - 5000, "x");
  const bytes = new TextEncoder().encode(`token=${value}`);
  assertEquals(bytes.length, 64 * 1024);
  const pieces = [0, 1, 1000, 1023, 1024, 4096, bytes.length];
  const body = ReadableStream.from(
    pieces.slice(1).map((end, index) => bytes.slice(pieces[index], end)),
  );
  assertEquals((await readFormBody(sent(FORM, body))).get("token"), value);
});

Deno.test("readFormBody: a byte in each chunk needs no more memory than all in one", async () => {
  const bytes = 30_000;
  // Of this test file alone: others run in the same process.
  const held = () => Deno.memoryUsage().heapUsed + Deno.memoryUsage().external;
  const before = held();
  let [left, most] = [bytes, before];
  const body = new ReadableStream({
    pull(controller) {
      if (left % 100 === 0) most = Math.max(most, held());
      if (left-- === 0) return controller.close();
      // As a server reads what arrives: into a buffer that is longer than the chunk.
      controller.enqueue(new Uint8Array(64 * 1024).fill(120).subarray(0, 1));
    },
  });
  const form = await readFormBody(sent(FORM, body), 300_000);
  assertEquals([...form.keys()], ["x".repeat(bytes)]);
  const mib = (most - before) / 2 ** 20;
  // A chunk that is kept keeps its buffer: together 1875 MiB.
  assert(mib < 900, `${mib} MiB`);
});

Deno.test("readJsonBody: a body that does not arrive in time is 408, and is left", async () => {
  let leave = () => {};
  const body = new ReadableStream({
    start(parts) {
      parts.enqueue(new TextEncoder().encode("{"));
      const end = setTimeout(() => parts.close(), 60_000);
      leave = () => clearTimeout(end);
    },
    cancel: () => leave(),
  });
  const late = () => readJsonBody(sent(JSON_TYPE, body), 20);
  const { problem }: ProblemError = await assertRejects(late, ProblemError);
  assertEquals(problem.status, 408);
});
