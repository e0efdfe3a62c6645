import { assertEquals } from "@std/assert";
import { chosenLogFormat, createLog, logRequest, logWith } from "../../../server/log/log.ts";
import { type LogFormat, type LogLevel, readSettings } from "../../../server/config/settings.ts";

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
