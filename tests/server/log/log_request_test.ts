import { assertEquals } from "@std/assert";
import { createLog } from "../../../server/log/log.ts";
import { logRequest } from "../../../server/log/log_request.ts";

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
