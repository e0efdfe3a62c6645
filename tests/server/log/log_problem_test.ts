import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { HttpStatusError, NetworkError, ShapeError } from "../../../lib/errors.ts";
import { createLog, logWith } from "../../../server/log/log.ts";
import {
  failureReason,
  logInterruptedDownload,
  logProblem,
} from "../../../server/log/log_problem.ts";
import { ProblemError, toProblem } from "../../../server/http/problem.ts";

/** The log of a request, and its lines. */
function logOfRequest() {
  const lines: string[] = [];
  const all = createLog({ level: "info", format: "text", write: (line) => lines.push(line) });
  return { lines, log: logWith({ requestId: "r-1" }, all) };
}

function loggedFor(error: unknown, signal = new AbortController().signal): string[] {
  const { lines, log } = logOfRequest();
  logProblem(log, toProblem(error), error, signal);
  return lines;
}

Deno.test("logProblem: faults of the server say where they came from, others are not logged", () => {
  assertEquals(loggedFor(new ProblemError(400, "No")), []);
  assertEquals(loggedFor(new NetworkError("gone"), AbortSignal.abort()), []);
  assertMatch(loggedFor(new Error("broken"))[0], /ERROR .*broken.*log_problem_test/);
});

Deno.test("logInterruptedDownload: says why, unless it was cancelled", () => {
  const { lines, log } = logOfRequest();
  logInterruptedDownload(log, new ProblemError(503, "full"), new AbortController().signal);
  logInterruptedDownload(log, new ProblemError(503, "away"), AbortSignal.abort());
  assertEquals(lines.map((line) => line.replace(/^\S+ /, "")), [
    "ERROR Download interrupted requestId=r-1 reason=full",
  ]);
});

Deno.test("failureReason: what an upstream service said stays out of the log", () => {
  const excerpt = "ann@example.com";
  const refused = (requestId: string) => new HttpStatusError(500, excerpt, { excerpt, requestId });
  assertEquals(failureReason(refused("7")), "http 500, upstream request 7");
  for (const id of [excerpt, "x".repeat(101)]) assertEquals(failureReason(refused(id)), "http 500");
  const attempts = [1, 2].map((ms) => ({ ms, waitedMs: 0, reason: excerpt }));
  const unreached = failureReason(new NetworkError(excerpt, { attempts }));
  assertEquals(unreached, "network, after 2 attempts");
  const page = new ShapeError("", excerpt, { status: 200, excerpt });
  assertEquals(failureReason(page), "shape: the answer is not JSON");
});

Deno.test("failureReason: says why a connection failed, and not where it led", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  const url = `http://127.0.0.1:${listener.addr.port}/?planted=words`;
  const cause = await assertRejects(() => fetch(url));
  assertMatch(failureReason(cause), /^tcp connect error: Connection refused [^?]*$/);
  assertMatch(failureReason(new NetworkError("gone", { cause })), /^network: tcp connect error/);
});

Deno.test("failureReason: quotes of a failed connection neither the other side nor an address", () => {
  const reasonOf = (said: string) =>
    failureReason(new NetworkError("x", { cause: new TypeError("y", { cause: new Error(said) }) }));
  const reset = "Connection reset by peer (os error 104)";
  assertEquals(reasonOf(reset), `network: ${reset}`);
  const certificate = "invalid peer certificate: not valid for name, but for ann@example.com";
  assertEquals(
    reasonOf(
      `error sending request for url (https://localhost/?planted=words): client error (Connect): ${certificate}`,
    ),
    `network: ${certificate.replace("ann@", "a…@")}`,
  );
  const others = [
    'http2 error: connection error received: not a result of an error (b"planted (os error 1)")',
    "https://localhost/?planted=words (os error 104)",
    "planted words (os error 104)",
    "broken",
  ];
  for (const said of others) assertEquals(reasonOf(said), "network", said);
});
