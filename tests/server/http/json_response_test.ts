import { assert, assertEquals } from "@std/assert";
import { conditionalJsonResponse, jsonResponse } from "../../../server/http/json_response.ts";

const LONG = { text: "so it goes ".repeat(1000) };

function request(headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", { headers });
}

async function unzipped(response: Response): Promise<string> {
  return await new Response(response.body!.pipeThrough(new DecompressionStream("gzip"))).text();
}

Deno.test("jsonResponse: compresses for who can read it", async () => {
  for (const accepted of ["gzip", "br, gzip;q=0.5", "*"]) {
    const response = await jsonResponse(request({ "accept-encoding": accepted }), LONG);
    assertEquals(response.headers.get("content-encoding"), "gzip", accepted);
    assertEquals(response.headers.get("vary"), "accept-encoding");
    assertEquals(JSON.parse(await unzipped(response)), LONG);
  }
});

Deno.test("jsonResponse: does not compress for others, nor what is short", async () => {
  for (const accepted of ["identity", "gzip;q=0", "br", ""]) {
    const response = await jsonResponse(request({ "accept-encoding": accepted }), LONG);
    assertEquals(response.headers.get("content-encoding"), null, accepted);
    assertEquals(await response.json(), LONG);
  }
  assertEquals((await jsonResponse(request(), LONG)).headers.get("content-encoding"), null);
  const short = await jsonResponse(request({ "accept-encoding": "gzip" }), {});
  assertEquals(short.headers.get("content-encoding"), null);
  assertEquals(await short.text(), "{}");
});

Deno.test("conditionalJsonResponse: answers 304 without a body for the tag it gave", async () => {
  const first = await conditionalJsonResponse(request({ "accept-encoding": "gzip" }), LONG);
  const etag = first.headers.get("etag")!;
  assert(etag.startsWith('W/"'));
  for (const given of [etag, `"other", ${etag}`, etag.slice(2), "*"]) {
    const again = await conditionalJsonResponse(request({ "if-none-match": given }), LONG);
    assertEquals([again.status, again.body], [304, null], given);
    assertEquals(again.headers.get("etag"), etag);
    assertEquals(again.headers.get("vary"), "accept-encoding");
  }
});

Deno.test("conditionalJsonResponse: answers with the value when it is another", async () => {
  const first = await conditionalJsonResponse(request(), [1]);
  const given = { "if-none-match": first.headers.get("etag")! };
  const second = await conditionalJsonResponse(request(given), [2]);
  assertEquals([second.status, await second.json()], [200, [2]]);
  assert(second.headers.get("etag") !== first.headers.get("etag"));
});

Deno.test("conditionalJsonResponse: tags rows by their version alone", async () => {
  const tagOf = async (rows: object) =>
    (await conditionalJsonResponse(request(), rows)).headers.get("etag");
  const tag = await tagOf({ json: "[1]", version: "a" });
  assertEquals(await tagOf({ json: "[1]", version: "a" }), tag);
  assert(await tagOf({ json: "[1]", version: "b" }) !== tag);
});

Deno.test("jsonResponse: sends what is JSON already as it is", async () => {
  const rows = { json: '{"a": [1, 2]}', version: "a" };
  assertEquals(await (await jsonResponse(request(), rows)).text(), rows.json);
  const conditional = await conditionalJsonResponse(request(), rows);
  assertEquals(await conditional.text(), rows.json);
  const etag = conditional.headers.get("etag")!;
  const again = await conditionalJsonResponse(request({ "if-none-match": etag }), rows);
  assertEquals(again.status, 304);
});
