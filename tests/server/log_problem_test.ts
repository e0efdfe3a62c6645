import { assertEquals, assertMatch } from "@std/assert";
import { HttpStatusError, NetworkError } from "../../lib/errors.ts";
import { createLog } from "../../server/log.ts";
import { logProblem, reasonOf } from "../../server/log_problem.ts";
import { ProblemError, problemOf } from "../../server/problem.ts";

function loggedFor(error: unknown, signal = new AbortController().signal): string[] {
  const lines: string[] = [];
  const log = createLog({ level: "info", format: "text", write: (line) => lines.push(line) });
  logProblem(log, problemOf(error), error, { requestId: "r-1", signal });
  return lines;
}

Deno.test("logProblem: faults of the request are not logged", () => {
  assertEquals(loggedFor(new ProblemError(400, "No")), []);
});

Deno.test("logProblem: who went away before the answer needs none", () => {
  assertEquals(loggedFor(new NetworkError("gone"), AbortSignal.abort()), []);
});

Deno.test("logProblem: faults of the server say the request and where they came from", () => {
  const [line] = loggedFor(new Error("broken"));
  assertMatch(line, /ERROR .*requestId=r-1 .*broken.*log_problem_test/);
});

Deno.test("logProblem: what was told once is told no more", () => {
  const error = new Error("broken");
  assertEquals([loggedFor(error).length, loggedFor(error).length], [1, 0]);
});

Deno.test("reasonOf: what an upstream service said stays out of the log", () => {
  const error = new HttpStatusError(500, "mail to ann@example.com failed", {
    excerpt: "ann@example.com",
    requestId: "up-7",
  });
  assertEquals(reasonOf(error), "http 500, request up-7 there");
  assertEquals(reasonOf(new NetworkError("ann@example.com")), "network");
});
