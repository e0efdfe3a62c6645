import { assertEquals, assertThrows } from "@std/assert";
import { MINUTE } from "../../../lib/time_units.ts";
import { createRateLimit } from "../../../server/auth/rate_limit.ts";
import { ProblemError } from "../../../server/http/problem.ts";

Deno.test("createRateLimit: a token may be used again a minute later", () => {
  let now = Date.UTC(2026, 2, 10);
  const count = createRateLimit(1, () => now);
  for (const token of ["one", "other"]) count(token);
  const { problem } = assertThrows(() => count("one"), ProblemError, "again in 60 s");
  assertEquals([problem.status, problem.retryAfterSeconds], [429, 60]);
  now += MINUTE;
  count("one");
  assertThrows(() => count("one"), ProblemError, "1 requests a minute");
});
