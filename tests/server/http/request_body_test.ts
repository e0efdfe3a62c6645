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
  for (const type of ["APPLICATION/JSON", 'application/json;Charset="utf-8"']) {
    assertEquals(await readJsonBody(sent(type)), {}, type);
  }
  const upper = sent("Application/X-WWW-Form-URLEncoded; charset=UTF-8", "a=1");
  assertEquals((await readFormBody(upper)).get("a"), "1");
  const refused = [
    () => readJsonBody(sent(JSON_TYPE, "{}", { "content-encoding": "gzip" })),
    () => readJsonBody(sent(FORM)),
    () => readFormBody(sent("multipart/form-data; boundary=x")),
  ];
  const accepted = [];
  for (const read of refused) {
    const { problem }: ProblemError = await assertRejects(read, ProblemError);
    assertEquals(problem.status, 415);
    accepted.push(problem.headers);
  }
  const types = [JSON_TYPE, FORM].map((accept) => ({ accept }));
  assertEquals(accepted, [{ "accept-encoding": "identity" }, ...types]);
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

Deno.test("readJsonBody: of more than a mebibyte is 413, also without a length", async () => {
  const most = `"${"x".repeat(1024 * 1024 - 2)}"`;
  assertEquals((await readJsonBody(sent(JSON_TYPE, most)) as string).length, most.length - 2);
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel: () => void (cancelled = true),
  });
  for (const body of [`${most} `, endless]) {
    const read = () => readJsonBody(sent(JSON_TYPE, body));
    const { problem }: ProblemError = await assertRejects(read, ProblemError);
    assertEquals(problem.status, 413);
  }
  assert(cancelled);
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
