import { assert, assertEquals } from "@std/assert";
import {
  ConfigurationError,
  HttpStatusError,
  isDocketError,
  TimeoutError,
} from "../../lib/errors.ts";

Deno.test("isDocketError: knows errors by their brand, of another copy too, and nothing else", async () => {
  assert(isDocketError(new ConfigurationError("limit", "limit is wrong")));
  const copy = await import(`../../lib/errors.ts?copy=${crypto.randomUUID()}`);
  const other = new copy.TimeoutError("deadline", 1000, "Too late");
  assert(!(other instanceof TimeoutError), "the copy is the same module");
  assert(isDocketError(other) && other.kind === "timeout" && other.limitMs === 1000);
  const others = [null, undefined, 0, "x", {}, new Error("x"), { kind: "timeout" }, () => {}];
  assertEquals(others.filter(isDocketError), []);
});

Deno.test("DocketError: shows its kind, name, fields and cause as JSON, but no body and headers", () => {
  const error = new HttpStatusError(503, "The service is busy", {
    attempts: [{ status: 503, ms: 5, waitedMs: 0, reason: "status 503" }],
    excerpt: "busy",
    cause: new Error("inner"),
    body: "busy today",
    headers: { "x-busy": "yes" },
  });
  assertEquals([error.body, error.headers], ["busy today", { "x-busy": "yes" }]);
  assertEquals(JSON.parse(JSON.stringify(error)), {
    attempts: [{ status: 503, ms: 5, waitedMs: 0, reason: "status 503" }],
    kind: "http",
    name: "HttpStatusError",
    status: 503,
    excerpt: "busy",
    message: "The service is busy",
    cause: "Error: inner",
  });
});
