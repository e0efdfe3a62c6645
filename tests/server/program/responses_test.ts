import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { errorResponse } from "../../../server/program/responses.ts";
import { createLog } from "../../../server/log/log.ts";
import { markLogged } from "../../../server/log/log_problem.ts";

/** The answer to an error, and what was logged. */
async function answerTo(error: unknown): Promise<{ response: Response; lines: string[] }> {
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });
  return { response: await errorResponse(error, { log, site: null }), lines };
}

Deno.test("errorResponse: says nothing of the error, and logs once what is the server's fault", async () => {
  const { response, lines } = await answerTo(new Error("planted"));
  assertEquals([response.status, await response.text()], [500, "Something went wrong"]);
  assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  const { level, requestId, reason } = JSON.parse(lines[0]);
  assertEquals([level, requestId], ["error", response.headers.get("x-request-id")]);
  assertMatch(reason, /^Error: planted\n/);
  assertEquals((await answerTo(markLogged(new Error("known")))).lines, []);
  assertEquals((await answerTo("thrown")).lines.length, 1);
  // An address that can't be read is the sender's.
  const invalid = await answerTo(assertThrows(() => new URL("http://a b:x[/?code=planted")));
  const text = "The request is not for an http or https address";
  assertEquals([invalid.response.status, await invalid.response.text()], [400, text]);
  assertEquals(invalid.lines.map((line) => JSON.parse(line).level), ["warn"]);
  assert(!invalid.lines[0].includes("planted"), invalid.lines[0]);
});
