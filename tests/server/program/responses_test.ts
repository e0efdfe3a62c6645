import { assertEquals, assertMatch } from "@std/assert";
import { errorResponse, unavailableResponse } from "../../../server/program/responses.ts";
import { createLog } from "../../../server/log/log.ts";
import { markLogged } from "../../../server/log/log_problem.ts";
import { headerFaults } from "../../answer_headers.ts";

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

const ORIGIN = "https://docket.example.com";

Deno.test("unavailable: people get a line of text, with every header", async () => {
  const response = await unavailableResponse(
    new Request(`${ORIGIN}/filesets`),
    "Docket is stopping",
    { publicOrigin: ORIGIN, hstsSubdomains: false },
  );
  assertEquals([response.status, await response.text()], [503, "Docket is stopping"]);
  assertEquals(headerFaults(response, { isSecure: true }), []);
});

Deno.test("unavailable: scripts get a problem document, with every header", async () => {
  const request = new Request(`${ORIGIN}/api/files/v1/filesets/search`);
  const response = await unavailableResponse(request, "Docket is stopping", null);
  assertMatch(response.headers.get("content-type") ?? "", /^application\/problem\+json$/);
  assertEquals(response.headers.get("retry-after"), "5");
  assertEquals((await response.json()).detail, "Docket is stopping");
  assertEquals(headerFaults(response, { isOperation: true }), []);
});
