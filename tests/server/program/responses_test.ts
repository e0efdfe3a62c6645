import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { errorResponse } from "../../../server/program/responses.ts";
import { createLog } from "../../../server/log/log.ts";

Deno.test("errorResponse: says nothing of the error, nor does the log of an address", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });
  const invalid = assertThrows(() => new URL("http://a b:x[/?code=planted"));
  for (const [error, status] of [[new Error("planted"), 500], [invalid, 400]] as const) {
    const response = await errorResponse(error, { log, site: null });
    assertEquals([response.status, (await response.text()).includes("planted")], [status, false]);
  }
  assertMatch(lines[0], /"level":"error".*Error: planted/);
  assert(!lines[1].includes("planted"), lines[1]);
});
