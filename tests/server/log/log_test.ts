import { assertEquals } from "@std/assert";
import { createLog, logOf } from "../../../server/log/log.ts";
import type { LogFormat, LogLevel } from "../../../server/config/settings.ts";

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

Deno.test("logOf: every line says what it is about, and keeps its level", () => {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = logOf({ requestId: "r-1" }, createLog({ level: "info", format: "text", write, now }));
  log.debug("Looked");
  log.info("Answered");
  log.error("Failed", { status: 500 });
  assertEquals(lines, [
    "2026-01-31T12:00:00.000Z INFO  Answered requestId=r-1",
    "2026-01-31T12:00:00.000Z ERROR Failed requestId=r-1 status=500",
  ]);
});
