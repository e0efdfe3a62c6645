import { assertEquals, assertMatch } from "@std/assert";
import { unavailableResponse } from "../../../server/program/unavailable_response.ts";
import { headerFaults } from "../../answer_headers.ts";

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
