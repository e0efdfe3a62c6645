import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { HttpStatusError, NetworkError, ShapeError } from "../../../lib/errors.ts";
import type { LogFormat, LogLevel } from "../../../server/config/settings.ts";
import { ProblemError, toProblem } from "../../../server/http/problem.ts";
import { createLog, logWith } from "../../../server/log/log.ts";
import {
  failureReason,
  logInterruptedDownload,
  logProblem,
} from "../../../server/log/log_problem.ts";
import { freePort } from "../../processes.ts";

/** A log, and its lines. */
function setUp(level: LogLevel, format: LogFormat) {
  const lines: string[] = [];
  const now = () => new Date("2026-01-31T12:00:00Z");
  const log = createLog({ level, format, write: (line) => lines.push(line), now });
  return { lines, log };
}

Deno.test("createLog, logWith: a line an event of that severity, what it is about, no address", () => {
  const linesOf = (level: LogLevel, format: LogFormat) => {
    const { lines, log: all } = setUp(level, format);
    const log = logWith({ requestId: "r-1" }, all);
    log.debug("Looked");
    log.info("Started", { port: 8000, host: undefined });
    log.warn("Slow", { route: "/filesets/:id" });
    log.error("Failed", { reason: "no row\n\u0001ann@example.com", status: 500 });
    return lines;
  };
  const time = "2026-01-31T12:00:00.000Z";
  assertEquals(linesOf("debug", "text").length, 4);
  assertEquals(linesOf("info", "text"), [
    `${time} INFO  Started requestId=r-1 port=8000`,
    `${time} WARN  Slow requestId=r-1 route=/filesets/:id`,
    `${time} ERROR Failed requestId=r-1 reason="no row\\n\\u0001…@example.com" status=500`,
  ]);
  const about = { requestId: "r-1", reason: "no row\n\u0001…@example.com", status: 500 };
  const failed = { time, level: "error", message: "Failed", ...about };
  assertEquals(linesOf("error", "json"), [JSON.stringify(failed)]);
});

Deno.test("logProblem: faults of the server say where they came from, and cancelling is none", () => {
  const { lines, log } = setUp("debug", "text");
  const { signal } = new AbortController();
  const logged = (error: unknown, by = signal) => logProblem(log, toProblem(error), error, by);
  logged(new ProblemError(499, "No"));
  logged(new NetworkError("gone"), AbortSignal.abort());
  logInterruptedDownload(log, new ProblemError(503, "away"), AbortSignal.abort());
  logged(new Error("broken"));
  logged(new ProblemError(500, "lost"));
  logInterruptedDownload(log, new ProblemError(503, "full"), signal);
  const [request, download, broken, ...others] = lines.map((line) => line.replace(/^\S+ /, ""));
  assertMatch(broken, /^ERROR .*broken.*log_test/);
  assertEquals([request, download, ...others], [
    "DEBUG Request cancelled",
    "DEBUG Request cancelled",
    "ERROR Something went wrong reason=lost",
    "ERROR Download interrupted reason=full",
  ]);
});

Deno.test("failureReason: says why, but quotes no address, no URL and no other side", async () => {
  const excerpt = "ann@example.com";
  const refused = (requestId: string) => new HttpStatusError(500, excerpt, { excerpt, requestId });
  const after = (count: number) => {
    const attempts = Array.from({ length: count }, () => ({ ms: 1, waitedMs: 0, reason: excerpt }));
    return new NetworkError(excerpt, { attempts });
  };
  const because = (said: string) =>
    new NetworkError("x", { cause: new TypeError("y", { cause: new Error(said) }) });
  const reset = "Connection reset by peer (os error 104)";
  const certificate = "invalid peer certificate: not valid for name, but for ";
  const connect =
    "error sending request for url (https://localhost/?planted=words): client error (Connect)";
  const rows: [unknown, string][] = [
    [refused("7"), "http 500, upstream request 7"],
    [refused(excerpt), "http 500"],
    [refused("x".repeat(101)), "http 500"],
    [after(1), "network"],
    [after(2), "network, after 2 attempts"],
    [new ShapeError("", excerpt, { status: 200, excerpt }), "shape: the answer is not JSON"],
    [new ShapeError("", excerpt, { status: 200 }), "shape: the answer has an unexpected shape"],
    [new ShapeError("[0].id", excerpt, { status: 200 }), "shape: [0].id has an unexpected shape"],
    [new ShapeError("", "It is too long"), "shape: It is too long"],
    [because(reset), `network: ${reset}`],
    [because(`${connect}: ${certificate}${excerpt}`), `network: ${certificate}a…@example.com`],
    [because('http2 error: not a result of an error (b"planted (os error 1)")'), "network"],
    [because("https://localhost/?planted=words (os error 104)"), "network"],
    ["thrown", "thrown"],
  ];
  for (const [error, reason] of rows) assertEquals(failureReason(error), reason);
  const cause = await assertRejects(() => fetch(`http://127.0.0.1:${freePort()}/?planted=words`));
  assertMatch(failureReason(cause), /^tcp connect error: Connection refused [^?]*$/);
});
