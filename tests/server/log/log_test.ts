import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { HttpStatusError, NetworkError, ShapeError } from "../../../lib/errors.ts";
import { type LogFormat, type LogLevel, readSettings } from "../../../server/config/settings.ts";
import { ProblemError, toProblem } from "../../../server/http/problem.ts";
import { chosenLogFormat, createLog, logRequest, logWith } from "../../../server/log/log.ts";
import {
  failureReason,
  logInterruptedDownload,
  logProblem,
} from "../../../server/log/log_problem.ts";

/** A log, and its lines. */
function setUp(level: LogLevel, format: LogFormat) {
  const lines: string[] = [];
  const now = () => new Date("2026-01-31T12:00:00Z");
  const log = createLog({ level, format, write: (line) => lines.push(line), now });
  return { lines, log };
}

Deno.test("chosenLogFormat: as set; by default, text on a terminal and JSON elsewhere", () => {
  const { isTerminal } = Deno.stderr;
  try {
    for (const [isOn, usual] of [[true, "text"], [false, "json"]] as const) {
      Deno.stderr.isTerminal = () => isOn;
      assertEquals(chosenLogFormat(readSettings({})), usual);
      for (const LOG_FORMAT of ["text", "json"]) {
        assertEquals(chosenLogFormat(readSettings({ LOG_FORMAT })), LOG_FORMAT);
      }
    }
  } finally {
    Deno.stderr.isTerminal = isTerminal;
  }
});

Deno.test("createLog: one line an event of that severity, as text or as JSON", () => {
  const linesOf = (level: LogLevel, format: LogFormat) => {
    const { lines, log } = setUp(level, format);
    log.debug("Looked");
    log.info("Started", { port: 8000, host: undefined });
    log.warn("Slow", { route: "/filesets/:id" });
    log.error("Failed", { reason: "it broke\nhere" });
    return lines;
  };
  assertEquals(linesOf("debug", "text").length, 4);
  assertEquals(linesOf("info", "text"), [
    "2026-01-31T12:00:00.000Z INFO  Started port=8000",
    "2026-01-31T12:00:00.000Z WARN  Slow route=/filesets/:id",
    '2026-01-31T12:00:00.000Z ERROR Failed reason="it broke\\nhere"',
  ]);
  assertEquals(linesOf("error", "json").map((line) => JSON.parse(line)), [{
    time: "2026-01-31T12:00:00.000Z",
    level: "error",
    message: "Failed",
    reason: "it broke\nhere",
  }]);
});

Deno.test("logWith: every line says what it is about, keeps its level, and masks addresses", () => {
  const { lines, log: all } = setUp("info", "json");
  const log = logWith({ requestId: "r-1" }, all);
  log.debug("Looked");
  log.error("Failed", { reason: "no row \u0001ann@example.com", status: 500 });
  const [{ time: _, ...line }, ...others] = lines.map((line) => JSON.parse(line));
  const failed = { level: "error", message: "Failed", requestId: "r-1", status: 500 };
  assertEquals([line, others], [{ ...failed, reason: "no row \u0001…@example.com" }, []]);
});

Deno.test("logRequest: slow requests are information, and all others are for debugging", () => {
  const { lines, log } = setUp("debug", "json");
  const request = { method: "GET", isCancelled: false };
  logRequest(log, { ...request, status: 200, ms: 12.3 });
  logRequest(log, { ...request, status: 200, ms: 1000 });
  logRequest(log, { ...request, status: 404, ms: 1001 });
  logRequest(log, { ...request, status: 503, ms: 2000, isCancelled: true });
  const said = lines.map((line) => JSON.parse(line));
  assertEquals(said.map(({ level, status, ms }) => `${level} ${status} ${ms}`), [
    "debug 200 12",
    "debug 200 1000",
    "info 404 1001",
    "debug 503 2000",
  ]);
});

function loggedFor(error: unknown, signal = new AbortController().signal): string[] {
  const { lines, log } = setUp("info", "text");
  logProblem(log, toProblem(error), error, signal);
  return lines;
}

Deno.test("logProblem: faults of the server say where they came from, others are not logged", () => {
  assertEquals(loggedFor(new ProblemError(400, "No")), []);
  assertEquals(loggedFor(new NetworkError("gone"), AbortSignal.abort()), []);
  assertMatch(loggedFor(new Error("broken"))[0], /ERROR .*broken.*log_test/);
});

Deno.test("logInterruptedDownload: says why, unless it was cancelled", () => {
  const { lines, log } = setUp("info", "text");
  logInterruptedDownload(log, new ProblemError(503, "full"), new AbortController().signal);
  logInterruptedDownload(log, new ProblemError(503, "away"), AbortSignal.abort());
  assertEquals(lines.map((line) => line.replace(/^\S+ /, "")), [
    "ERROR Download interrupted reason=full",
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

Deno.test("failureReason: says why a connection failed, but quotes no address and no other side", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  const url = `http://127.0.0.1:${listener.addr.port}/?planted=words`;
  const cause = await assertRejects(() => fetch(url));
  assertMatch(failureReason(cause), /^tcp connect error: Connection refused [^?]*$/);
  assertMatch(failureReason(new NetworkError("gone", { cause })), /^network: tcp connect error/);
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
