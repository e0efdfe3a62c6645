import { assertEquals } from "@std/assert";
import { ConfigurationError } from "../../../lib/errors.ts";
import {
  ProblemError,
  problemResponse,
  safeUpstreamText,
  toProblem,
} from "../../../server/http/problem.ts";

/** An error as lib throws it, known to the server by its brand. */
function upstreamError(kind: string, members: Record<string, unknown> = {}): Error {
  const brand = { [Symbol.for("docket.error")]: true };
  return Object.assign(new Error("token abc123 refused"), brand, { kind, ...members });
}

Deno.test("problemResponse: has the shape of RFC 9457, and Retry-After where it is known", async () => {
  const errors = [{ pointer: "/filters/0/field", detail: "must be one of id" }];
  const { problem } = new ProblemError(400, "No such field", { errors });
  const response = problemResponse(problem, "r-1");
  assertEquals(response.status, 400);
  assertEquals(response.headers.get("content-type"), "application/problem+json");
  assertEquals(await response.json(), {
    type: "urn:docket:problem:bad-request",
    title: "The request is not valid",
    status: 400,
    detail: "No such field",
    requestId: "r-1",
    errors,
  });
  const slow = problemResponse(new ProblemError(429, "Slow", { retryAfterSeconds: 7 }).problem);
  assertEquals(slow.headers.get("retry-after"), "7");
  assertEquals(Object.keys(await slow.json()), ["type", "title", "status", "detail", "errors"]);
  // A status without a title of its own.
  assertEquals(new ProblemError(418, "no coffee").problem.title, "Something went wrong");
});

Deno.test("toProblem: passes on what callers can act on; others are 502, 504 or 500", () => {
  for (const status of [400, 401, 403, 404, 409, 429]) {
    const problem = toProblem(upstreamError("http", { status, retryAfterMs: 3_600_500 }));
    assertEquals([problem.status, problem.retryAfterSeconds], [status, 3601]);
  }
  for (const status of [500, 503, 301, 405, 418]) {
    assertEquals(toProblem(upstreamError("http", { status })).status, 502);
  }
  const kinds = { network: 502, shape: 502, stalled: 502, drift: 502, timeout: 504, abort: 503 };
  for (const [kind, status] of Object.entries(kinds)) {
    assertEquals(toProblem(upstreamError(kind)).status, status, kind);
  }
  // What is wrong with Docket's own use of the client.
  assertEquals(toProblem(upstreamError("configuration", { parameter: "baseUrl" })).status, 500);
});

Deno.test("toProblem: repeats the upstream service's words and faults, without addresses", () => {
  const words = "mail to ann@example.com failed";
  const masked = words.replace("ann@", "a…@");
  const errors = [{ pointer: `/${words}`, detail: words }, { parameter: words, detail: words }];
  const answered = "The upstream service answered with status 400:";
  const saying = (more: object) => toProblem(upstreamError("http", { status: 400, ...more }));
  const said = saying({ problem: { detail: words, errors } });
  const [pointed, named] = [{ pointer: `/${masked}` }, { parameter: masked }];
  assertEquals(said.detail, `${answered} ${masked}`);
  assertEquals(said.errors, [pointed, named].map((place) => ({ ...place, detail: masked })));
  assertEquals(saying({ excerpt: "Gone" }).detail, `${answered} Gone`);
  // A web page is left out.
  assertEquals(saying({ excerpt: "<h1>Gone</h1>" }).detail, answered.slice(0, -1));
});

Deno.test("toProblem: what the client refuses of a search is a 400 that says where", () => {
  const parameter = "filters[1].field";
  const detail = "must be a field's name, but got undefined";
  const { status, errors } = toProblem(new ConfigurationError(parameter, `${parameter} ${detail}`));
  assertEquals([status, errors], [400, [{ pointer: "/filters/1/field", detail }]]);
});

Deno.test("toProblem: an unexpected error reveals nothing of itself", () => {
  for (const error of [new Error("/secret/path"), upstreamError("other"), "secret", undefined]) {
    const { problem } = new ProblemError(500, "The server could not answer this request");
    assertEquals(toProblem(error), problem);
  }
});

Deno.test("safeUpstreamText: what is long is cut between characters, and says so", () => {
  assertEquals(safeUpstreamText("a".repeat(500)), "a".repeat(500));
  assertEquals(safeUpstreamText("a".repeat(64 * 1024)), `${"a".repeat(500)}…`);
  assertEquals(safeUpstreamText(`${"a".repeat(499)}😀`), `${"a".repeat(499)}\ufffd…`);
  const atTheCut = safeUpstreamText(`${"a ".repeat(248)}jane@example.com`);
  assertEquals(atTheCut.includes("jane"), false);
});
