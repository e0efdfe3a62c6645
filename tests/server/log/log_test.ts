import { assertEquals } from "@std/assert";
import { chosenLogFormat, createLog, logRequest, logWith } from "../../../server/log/log.ts";
import { type LogFormat, type LogLevel, readSettings } from "../../../server/config/settings.ts";

const now = () => new Date("2026-01-31T12:00:00Z");

function linesOf(level: LogLevel, format: LogFormat): string[] {
  const lines: string[] = [];
  const log = createLog({ level, format, write: (line) => lines.push(line), now });
  log.debug("Looked");
  log.info("Started", { port: 8000, host: undefined });
  log.warn("Slow", { route: "/filesets/:id" });
  log.error("Failed", { reason: "it broke\nhere" });
  return lines;
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

Deno.test("createLog: leaves out what is less severe", () => {
  assertEquals(linesOf("debug", "text").length, 4);
  assertEquals(linesOf("error", "text").length, 1);
});

Deno.test("createLog: as text, one line an event, values with spaces quoted", () => {
  assertEquals(linesOf("info", "text"), [
    "2026-01-31T12:00:00.000Z INFO  Started port=8000",
    "2026-01-31T12:00:00.000Z WARN  Slow route=/filesets/:id",
    '2026-01-31T12:00:00.000Z ERROR Failed reason="it broke\\nhere"',
  ]);
});

Deno.test("createLog: as JSON, one object an event", () => {
  assertEquals(JSON.parse(linesOf("error", "json")[0]), {
    time: "2026-01-31T12:00:00.000Z",
    level: "error",
    message: "Failed",
    reason: "it broke\nhere",
  });
});

Deno.test("createLog: masks addresses in whatever is said", () => {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = createLog({ level: "info", format: "json", write, now });
  log.error("Failed", { reason: "no row \u0001ann@example.com", status: 500 });
  const { reason, status } = JSON.parse(lines[0]);
  assertEquals([reason, status], ["no row \u0001…@example.com", 500]);
});

Deno.test("logWith: every line says what it is about, and keeps its level", () => {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = logWith(
    { requestId: "r-1" },
    createLog({ level: "info", format: "text", write, now }),
  );
  log.debug("Looked");
  log.info("Answered");
  log.error("Failed", { status: 500 });
  assertEquals(lines, [
    "2026-01-31T12:00:00.000Z INFO  Answered requestId=r-1",
    "2026-01-31T12:00:00.000Z ERROR Failed requestId=r-1 status=500",
  ]);
});

Deno.test("logRequest: slow requests are information, and all others are for debugging", () => {
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });
  const request = { method: "GET", isCancelled: false };
  logRequest(log, { ...request, status: 200, ms: 12.3 });
  logRequest(log, { ...request, status: 200, ms: 1000 });
  logRequest(log, { ...request, status: 404, ms: 1001 });
  logRequest(log, { ...request, status: 503, ms: 3 });
  logRequest(log, { ...request, status: 503, ms: 2000, isCancelled: true });
  const said = lines.map((line) => JSON.parse(line)).map((
    { level, status, ms },
  ) => [level, status, ms]);
  assertEquals(said, [
    ["debug", 200, 12],
    ["debug", 200, 1000],
    ["info", 404, 1001],
    ["debug", 503, 3],
    ["debug", 503, 2000],
  ]);
});
