import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { HttpStatusError, NetworkError } from "../../../lib/errors.ts";
import { createLog, logOf } from "../../../server/log/log.ts";
import { logInterruptedDownload, logProblem, reasonOf } from "../../../server/log/log_problem.ts";
import { ProblemError, problemOf } from "../../../server/http/problem.ts";

/** The log of a request, and its lines. */
function logOfRequest() {
  const lines: string[] = [];
  const all = createLog({ level: "info", format: "text", write: (line) => lines.push(line) });
  return { lines, log: logOf({ requestId: "r-1" }, all) };
}

function loggedFor(error: unknown, signal = new AbortController().signal): string[] {
  const { lines, log } = logOfRequest();
  logProblem(log, problemOf(error), error, signal);
  return lines;
}

Deno.test("logProblem: faults of the request are not logged", () => {
  assertEquals(loggedFor(new ProblemError(400, "No")), []);
});

Deno.test("logProblem: who went away before the answer needs none", () => {
  assertEquals(loggedFor(new NetworkError("gone"), AbortSignal.abort()), []);
});

Deno.test("logProblem: faults of the server say where they came from", () => {
  const [line] = loggedFor(new Error("broken"));
  assertMatch(line, /ERROR .*broken.*log_problem_test/);
});

Deno.test("logProblem: what was told once is told no more", () => {
  const { lines, log } = logOfRequest();
  const faults = ["away", "away", "full"].map((detail) => new ProblemError(503, detail));
  for (const fault of faults) logProblem(log, fault.problem, fault);
  assertEquals(lines.map((line) => /away|full/.exec(line)?.[0]), ["away", "full"]);
});

Deno.test("logProblem: each request is told of, though they fail by the same error", () => {
  const error = new ProblemError(503, "away");
  assertEquals([loggedFor(error).length, loggedFor(error).length], [1, 1]);
});

Deno.test("logInterruptedDownload: says why, where that was not told before", () => {
  const { signal } = new AbortController();
  const error = new ProblemError(503, "away");
  const { lines, log } = logOfRequest();
  logProblem(log, error.problem, error);
  logInterruptedDownload(log, error, signal);
  logInterruptedDownload(log, new ProblemError(503, "full"), signal);
  const said = lines.map((line) => line.replace(/^\S+ /, ""));
  assertEquals(said, [
    "ERROR The service is not available requestId=r-1 reason=away",
    "WARN  Download interrupted requestId=r-1",
    "ERROR Download interrupted requestId=r-1 reason=full",
  ]);
});

Deno.test("reasonOf: what an upstream service said stays out of the log", () => {
  const error = new HttpStatusError(500, "mail to ann@example.com failed", {
    excerpt: "ann@example.com",
    requestId: "up-7",
  });
  assertEquals(reasonOf(error), "http 500, upstream request up-7");
  assertEquals(reasonOf(new NetworkError("ann@example.com")), "network");
});

Deno.test("reasonOf: says why a connection failed, and not where it led", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  const url = `http://127.0.0.1:${listener.addr.port}/?planted=words`;
  const cause = await assertRejects(() => fetch(url));
  assertMatch(reasonOf(cause), /^tcp connect error: Connection refused [^?]*$/);
  assertMatch(reasonOf(new NetworkError("gone", { cause })), /^network: tcp connect error/);
});
