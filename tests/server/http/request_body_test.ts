import { assert, assertEquals, assertRejects } from "@std/assert";
import { type ProblemDetails, ProblemError } from "../../../server/http/problem.ts";
import { readBody, readFormBody } from "../../../server/http/request_body.ts";
import { value } from "../../../server/http/shape.ts";

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

/** Any JSON. */
const readJson = (request: Request) => readBody(request, value({}, () => undefined), []);

async function problemOf(read: () => Promise<unknown>): Promise<ProblemDetails> {
  return (await assertRejects(read, ProblemError)).problem;
}

Deno.test("readBody, readFormBody: content types count in any case; others are 415", async () => {
  const identity = { "content-encoding": "identity" };
  const taken = [
    "APPLICATION/JSON",
    "application/json; charset=UTF-8",
    'application/json;Charset="utf-8"',
    " application/json ;",
  ];
  for (const type of taken) {
    assertEquals(await readJson(sent(type, "{}", identity)), {}, type);
  }
  const zipped = sent(JSON_TYPE, "{}", { "content-encoding": "gzip" });
  const refused = [
    [readJson, sent("text/json"), { accept: JSON_TYPE }],
    [readJson, sent(FORM), { accept: JSON_TYPE }],
    [readJson, zipped, { "accept-encoding": "identity" }],
    [readFormBody, sent(JSON_TYPE), { accept: FORM }],
    [readFormBody, sent("multipart/form-data; boundary=x"), { accept: FORM }],
    [readFormBody, sent("text/plain"), { accept: FORM }],
  ] as const;
  for (const [read, request, headers] of refused) {
    const problem = await problemOf(() => read(request));
    assertEquals([problem.status, problem.headers], [415, headers]);
  }
});

Deno.test("readBody, readFormBody: the longest in pieces of any length; longer is 413", async () => {
  const inPieces = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    const starts = [0, 1, 1000, 1023, 1024, 4096];
    return ReadableStream.from(starts.map((start, at) => bytes.slice(start, starts[at + 1])));
  };
  const json = `"${"x".repeat(1024 * 1024 - 2)}"`;
  assertEquals(await readJson(sent(JSON_TYPE, inPieces(json))), JSON.parse(json));
  const token = "ü".repeat(5000).padEnd(64 * 1024 - "token=".length - 5000, "x");
  const form = await readFormBody(sent(FORM, inPieces(`token=${token}`)));
  assertEquals(form.get("token"), token);
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel: () => void (cancelled = true),
  });
  for (const body of [`${json} `, inPieces(`${json} `), endless]) {
    assertEquals((await problemOf(() => readJson(sent(JSON_TYPE, body)))).status, 413);
  }
  assert(cancelled);
  assertEquals((await problemOf(() => readFormBody(sent(FORM, `token=${token}x`)))).status, 413);
});

Deno.test("readFormBody: a body that does not arrive in time is 408, and is left", async () => {
  let isLeft = false;
  const body = new ReadableStream({
    start: (parts) => parts.enqueue(new TextEncoder().encode("{")),
    cancel: () => void (isLeft = true),
  });
  // The timer of a deadline alone does not keep the test going.
  const end = setTimeout(() => {}, 60_000);
  const { status } = await problemOf(() => readFormBody(sent(FORM, body), 20));
  clearTimeout(end);
  assertEquals([status, isLeft], [408, true]);
});
