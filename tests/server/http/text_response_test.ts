import { assertEquals } from "@std/assert";
import { jsonResponse } from "../../../server/http/text_response.ts";

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

Deno.test("jsonResponse: sends what is JSON already as it is", async () => {
  const json = '{"a": [1, 2]}';
  assertEquals(await (await jsonResponse(request(), json)).text(), json);
});
