import { assert, assertEquals } from "@std/assert";
import {
  chooseRequestId,
  type Site,
  withResponseHeaders,
} from "../../../server/http/response_headers.ts";

const REQUEST = new Request("http://localhost/", { headers: { "accept-encoding": "gzip" } });

function withHeaders(response: Response, site: Site | null = null): Promise<Response> {
  return withResponseHeaders(REQUEST, response, { site, requestId: "r-1" });
}

async function policyOf(body: string, type: string): Promise<string> {
  const response = new Response(body, { headers: { "content-type": type } });
  return (await withHeaders(response)).headers.get(
    "content-security-policy",
  ) ??
    "";
}

Deno.test("withResponseHeaders: a page's one inline script is named by its hash", async () => {
  const script = "boot({a:1})";
  const policy = await policyOf(
    `<html><head><title>a</title><script type="module">${script}</script></head><body></body></html>`,
    "text/html; charset=utf-8",
  );
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  assert(policy.includes(`script-src 'self' 'sha256-${hash}'`), policy);
  assertEquals(policy.includes("unsafe"), false);
});

Deno.test("withResponseHeaders: a script in the body of a page is not named", async () => {
  const policy = await policyOf(
    `<html><head></head><body><script type="module">evil()</script></head></body></html>`,
    "text/html",
  );
  assert(policy.includes("script-src 'self';"), policy);
});

Deno.test("withResponseHeaders: what is no page may do nothing", async () => {
  assertEquals(
    await policyOf("{}", "application/json"),
    "default-src 'none'; frame-ancestors 'none'",
  );
});

Deno.test("withResponseHeaders: status, headers and body stay", async () => {
  const response = await withHeaders(
    new Response("<p>gone</p>", {
      status: 404,
      headers: [["content-type", "text/html"], ["set-cookie", "a=1"], ["set-cookie", "b=2"]],
    }),
  );
  assertEquals(response.status, 404);
  assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
  assertEquals(await response.text(), "<p>gone</p>");
});

Deno.test("withResponseHeaders: an answer without a body stays without one", async () => {
  const response = await withHeaders(new Response(null, { status: 304 }));
  assertEquals([response.status, response.body], [304, null]);
});

Deno.test("withResponseHeaders: a page is compressed, and its cookies and status stay", async () => {
  const page = `<html><head></head><body>${"row ".repeat(1000)}</body></html>`;
  const response = await withHeaders(
    new Response(page, {
      status: 404,
      headers: [["content-type", "text/html"], ["set-cookie", "a=1"], ["set-cookie", "b=2"]],
    }),
  );
  assertEquals([response.status, response.headers.get("content-encoding")], [404, "gzip"]);
  assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
  const text = response.body!.pipeThrough(new DecompressionStream("gzip"));
  assertEquals(await new Response(text).text(), page);
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
  const idFor = (given?: string) =>
    chooseRequestId(
      new Request("http://localhost/", { headers: given ? { "x-request-id": given } : {} }),
    );
  assertEquals(idFor("proxy-1.a_b"), "proxy-1.a_b");
  for (const unsafe of [undefined, "a b", "<b>", "x".repeat(65), "a=b"]) {
    assertEquals(/^[0-9a-f-]{36}$/.test(idFor(unsafe)), true, unsafe);
  }
});
