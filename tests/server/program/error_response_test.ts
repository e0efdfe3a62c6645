import { assertEquals } from "@std/assert";
import { errorResponse } from "../../../server/program/error_response.ts";
import { createLog } from "../../../server/log/log.ts";
import { markLogged } from "../../../server/log/log_problem.ts";

/** The answer to an error, and what was logged. */
async function answerTo(error: unknown): Promise<{ response: Response; lines: string[] }> {
  const lines: string[] = [];
  const log = createLog({ level: "debug", format: "json", write: (line) => lines.push(line) });
  return { response: await errorResponse(error, { log, site: null }), lines };
}

Deno.test("errorResponse: says nothing of an unexpected error, and logs it", async () => {
  const { response, lines } = await answerTo(new Error("planted"));
  assertEquals([response.status, await response.text()], [500, "Something went wrong"]);
  assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  const { level, requestId } = JSON.parse(lines[0]);
  assertEquals([level, requestId], ["error", response.headers.get("x-request-id")]);
});

Deno.test("errorResponse: what was logged is not logged again", async () => {
  assertEquals((await answerTo(markLogged(new Error("known")))).lines, []);
});

Deno.test("errorResponse: an address that can't be read is the sender's fault, and is not repeated", async () => {
  let thrown: unknown;
  try {
    new URL("http://a b:x[/?code=planted");
  } catch (error) {
    thrown = error;
  }
  const { response, lines } = await answerTo(thrown);
  assertEquals(response.status, 400);
  assertEquals(lines.length, 1);
  assertEquals(lines[0].includes("planted"), false);
  assertEquals(await response.text(), "The request is not for an http or https address");
});
