import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  chooseRequestId,
  type Site,
  withResponseHeaders,
} from "../../../server/http/response_headers.ts";
import { jsonResponse } from "../../../server/http/text_response.ts";

function accepting(encoding: string): Request {
  return new Request("http://localhost/", { headers: { "accept-encoding": encoding } });
}

function withHeaders(response: Response, site: Site | null = null): Promise<Response> {
  return withResponseHeaders(accepting("gzip"), response, { site, requestId: "r-1" });
}

async function policyOf(body: string, type = "text/html; charset=utf-8"): Promise<string> {
  const response = new Response(body, { headers: { "content-type": type } });
  return (await withHeaders(response)).headers.get("content-security-policy") ?? "";
}

async function unzipped({ body }: Response): Promise<string> {
  return await new Response(body!.pipeThrough(new DecompressionStream("gzip"))).text();
}

Deno.test("withResponseHeaders: a page's one inline script is named by its hash, and no other", async () => {
  const script = `<script type="module">boot({a:1})</script>`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("boot({a:1})"));
  const hash = new Uint8Array(digest).toBase64();
  const own = await policyOf(`<html><head>${script}</head><body></body></html>`);
  assert(own.includes(`script-src 'self' 'sha256-${hash}'`), own);
  assert(!own.includes("unsafe"));
  const inBody = await policyOf(`<html><head></head><body>${script}</head></body></html>`);
  assert(inBody.includes("script-src 'self';"), inBody);
  const none = "default-src 'none'; frame-ancestors 'none'";
  assertEquals(await policyOf("{}", "application/json"), none);
  const bare = await withHeaders(new Response(new Uint8Array(1)));
  assertEquals(bare.headers.get("content-security-policy"), none);
});

Deno.test("withResponseHeaders: a page is compressed, and its status, cookies and body stay", async () => {
  for (const page of ["<p>gone</p>", `<html><head></head><body>${"row ".repeat(1000)}</body>`]) {
    const answer = new Response(page, {
      status: 404,
      headers: [["content-type", "text/html"], ["set-cookie", "a=1"], ["set-cookie", "b=2"]],
    });
    const response = await withHeaders(answer);
    assertEquals([response.status, response.headers.getSetCookie()], [404, ["a=1", "b=2"]]);
    const isLong = page.length > 1000;
    assertEquals(response.headers.get("content-encoding"), isLong ? "gzip" : null);
    assertEquals(await (isLong ? unzipped(response) : response.text()), page);
  }
  const { status, body } = await withHeaders(new Response(null, { status: 304 }));
  assertEquals([status, body], [304, null]);
});

Deno.test("withResponseHeaders: browsers are held to TLS where they come over it, and only there", async () => {
  const transportOf = async (publicOrigin: string | null, hstsSubdomains = false) =>
    (await withHeaders(new Response(), { publicOrigin, hstsSubdomains }))
      .headers.get("strict-transport-security");
  const secure = "https://docket.example.com";
  assertEquals(await transportOf(secure), "max-age=31536000");
  assertEquals(await transportOf(secure, true), "max-age=31536000; includeSubDomains");
  assertEquals(await transportOf("http://docket.example.com", true), null);
  assertEquals(await transportOf(null, true), null);
});

Deno.test("chooseRequestId: keeps a name that is safe to repeat, and makes one otherwise", () => {
  const idFor = (sent?: string) =>
    chooseRequestId(
      new Request("http://localhost/", { headers: sent ? { "x-request-id": sent } : {} }),
    );
  assertEquals(idFor("proxy-1.a_b"), "proxy-1.a_b");
  for (const unsafe of [undefined, "a b", "<b>", "x".repeat(65), "a=b"]) {
    assertMatch(idFor(unsafe), /^[0-9a-f-]{36}$/, unsafe);
  }
});

Deno.test("jsonResponse: compresses what is long where accepted", async () => {
  const long = { text: "so it goes ".repeat(1000) };
  const sent = {
    "gzip": "gzip",
    "br, gzip;q=0.5": "gzip",
    "*": "gzip",
    "gzip;q=0": null,
    "br": null,
  };
  for (const [accepted, encoding] of Object.entries(sent)) {
    const response = jsonResponse(accepting(accepted), long);
    const { headers } = response;
    assertEquals([headers.get("content-encoding"), headers.get("vary")], [
      encoding,
      "accept-encoding",
    ]);
    assertEquals(JSON.parse(encoding ? await unzipped(response) : await response.text()), long);
  }
  const short = jsonResponse(accepting("gzip"), '{"a": [1, 2]}');
  assertEquals(short.headers.get("content-encoding"), null);
  assertEquals(await short.text(), '{"a": [1, 2]}');
});
