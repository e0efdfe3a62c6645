import { assert, assertEquals, assertThrows } from "@std/assert";
import { ConfigurationError } from "../../../lib/errors.ts";
import {
  isProblemError,
  ProblemError,
  problemResponse,
  safeUpstreamText,
  throwIfInvalid,
  toProblem,
} from "../../../server/http/problem.ts";

/** An error as lib throws it, known to the server by its brand. */
function upstreamError(kind: string, members: Record<string, unknown> = {}): Error {
  const brand = { [Symbol.for("docket.error")]: true };
  return Object.assign(new Error("token abc123 refused"), brand, { kind, ...members });
}

Deno.test("problemResponse: has the shape of RFC 9457", async () => {
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
});

Deno.test("problemResponse: sends Retry-After where it is known", async () => {
  const { problem } = new ProblemError(429, "Slow down", { retryAfterSeconds: 7 });
  const response = problemResponse(problem);
  assertEquals(response.headers.get("retry-after"), "7");
  assertEquals(Object.keys(await response.json()), ["type", "title", "status", "detail", "errors"]);
});

Deno.test("isProblemError: knows the error of another bundle, and nothing else", async () => {
  // A query makes it another module, with another class.
  const other = await import("../../../server/http/problem.ts?other" as string);
  const error = new other.ProblemError(404, "Not here");
  assert(!(error instanceof ProblemError));
  assert(isProblemError(error));
  for (const value of [new Error("x"), null, undefined, "x", { problem: {} }]) {
    assert(!isProblemError(value));
  }
});

Deno.test("throwIfInvalid: names the only fault in its message, and counts several", () => {
  throwIfInvalid([]);
  const limit = { parameter: "limit", detail: "must be a whole number" };
  assertThrows(() => throwIfInvalid([limit]), ProblemError, "limit must be a whole number");
  assertThrows(() => throwIfInvalid([limit, limit]), ProblemError, "2 things");
});

Deno.test("toProblem: passes on what a caller of the upstream service can act on", () => {
  for (const status of [400, 401, 403, 404, 409, 429]) {
    const problem = toProblem(upstreamError("http", { status, retryAfterMs: 1500 }));
    assertEquals([problem.status, problem.retryAfterSeconds], [status, 2]);
  }
});

Deno.test("toProblem: repeats what the upstream service said, and each of its faults", () => {
  const errors = [{ pointer: "/filters/0", detail: "no" }, { parameter: "limit", detail: "low" }];
  const problem = { detail: "That is no search", errors };
  const said = toProblem(upstreamError("http", { status: 400, problem }));
  assertEquals(said.detail, "The upstream service answered with status 400: That is no search");
  assertEquals(said.errors, errors);
  const excerpt = toProblem(upstreamError("http", { status: 404, excerpt: "<h1>Gone</h1>" }));
  assertEquals(excerpt.detail, "The upstream service answered with status 404: <h1>Gone</h1>");
});

Deno.test("toProblem: other faults of the upstream service are 502, and timeouts 504", () => {
  for (const status of [500, 503, 301, 405, 418]) {
    assertEquals(toProblem(upstreamError("http", { status })).status, 502);
  }
  assertEquals(toProblem(upstreamError("network")).status, 502);
  for (const kind of ["shape", "stalled", "drift"]) {
    assertEquals(toProblem(upstreamError(kind)).status, 502);
  }
  assertEquals(toProblem(upstreamError("timeout")).status, 504);
});

Deno.test("toProblem: what is wrong with Docket's own use of the client is a 500", () => {
  assertEquals(toProblem(upstreamError("configuration", { parameter: "baseUrl" })).status, 500);
});

Deno.test("toProblem: what the client refuses of a search is a 400 that says where", () => {
  const parameter = "filters[1].field";
  const message = `${parameter} must be a field's name, but got undefined`;
  const problem = toProblem(new ConfigurationError(parameter, message));
  const detail = "must be a field's name, but got undefined";
  assertEquals([problem.status, problem.errors], [400, [{ pointer: "/filters/1/field", detail }]]);
});

Deno.test("toProblem: addresses in what an upstream service says are masked", () => {
  const said = "mail to ann@example.com failed";
  const errors = [{ pointer: `/${said}`, detail: said }, { parameter: said, detail: said }];
  for (const problem of [{ detail: said, errors }, { errors: [], detail: said }]) {
    const text = JSON.stringify(toProblem(upstreamError("http", { status: 400, problem })));
    assertEquals([text.includes("ann@"), text.includes("a…@example.com")], [false, true]);
  }
});

Deno.test("toProblem: an unexpected error reveals nothing of itself", () => {
  for (const error of [new Error("/secret/path"), upstreamError("other"), "secret", undefined]) {
    const problem = toProblem(error);
    assertEquals(problem.status, 500);
    assert(!JSON.stringify(problem).includes("secret"));
    assert(!JSON.stringify(problem).includes("abc123"));
  }
});

Deno.test("safeUpstreamText: what is long is cut between characters, and says so", () => {
  assertEquals(safeUpstreamText("No such field"), "No such field");
  assertEquals(safeUpstreamText("a".repeat(500)), "a".repeat(500));
  assertEquals(safeUpstreamText("a".repeat(64 * 1024)), `${"a".repeat(500)}…`);
  assertEquals(safeUpstreamText(`${"a".repeat(499)}😀`), `${"a".repeat(499)}\ufffd…`);
});

Deno.test("safeUpstreamText: an address at the cut is masked", () => {
  const words = `${"a ".repeat(248)}jane@example.com`;
  assertEquals(safeUpstreamText(words).includes("jane"), false);
});

Deno.test("ProblemError: a status without a title of its own has that of an internal error", () => {
  const { status, title } = new ProblemError(418, "no coffee").problem;
  assertEquals([status, title], [418, "Something went wrong"]);
});
