/** What a request says of itself: its client, cookies, host and origin. */
import { assertEquals } from "@std/assert";
import { clientAddress } from "../../../server/http/client_address.ts";
import { removeShownNotice } from "../../../server/http/cookies.ts";
import { isCrossOrigin, isNavigation } from "../../../server/http/cross_origin.ts";
import { isServed } from "../../../server/http/host.ts";

/** The client of a connection, by default one that says of itself to be somebody else. */
function client(remote: string | null, forwarded?: string, isBehindProxy = false): string {
  const headers: HeadersInit = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const info = remote === null
    ? undefined
    : { remoteAddr: { transport: "tcp", hostname: remote, port: 40_000 } as const };
  return clientAddress(new Request("http://localhost/", { headers }), info, isBehindProxy);
}

Deno.test("clientAddress: that of the connection, or behind a proxy what the proxy itself saw", () => {
  assertEquals(client("192.0.2.1", "198.51.100.9"), "192.0.2.1");
  assertEquals(client(null), "unknown");
  const seen = {
    "198.51.100.9": "198.51.100.9",
    "made up, 203.0.113.5, 198.51.100.9": "198.51.100.9",
    "198.51.100.9:41234": "198.51.100.9",
    "[2001:db8:1:2::9]:41234": "2001:db8:1:2",
    "": "127.0.0.1",
    // What is no address is one client of its own.
    "1:2:zz": "1:2:zz",
    "unix:": "unix:",
    ["x".repeat(1000)]: "x".repeat(64),
  };
  for (const [forwarded, expected] of Object.entries(seen)) {
    assertEquals(client("127.0.0.1", forwarded, true), expected);
  }
  // This machine, an IPv4 address and a network of IPv6 are one client each.
  const clients = {
    "127.0.0.1": ["127.8.9.10", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.2"],
    "192.0.2.1": ["::ffff:192.0.2.1", "::FFFF:c000:0201", "0:0:0:0:0:ffff:c000:201"],
    "2001:db8:1:2": ["2001:db8:1:2::1", "2001:0DB8:1:2:ffff::", "2001:db8:1:2:3:4:5:6"],
    "2001:db8:0:1": ["2001:db8::1:0:0:0:1"],
    "fe80:0:0:0": ["fe80::1%eth0"],
  };
  for (const [one, addresses] of Object.entries(clients)) {
    for (const address of addresses) assertEquals(client(address), one, address);
  }
});

Deno.test("removeShownNotice: a page that shows the notice removes it, and nothing else does", () => {
  const removes = (method: string, type = "text/html", cookie = "docket_notice=saved") => {
    const response = new Response("", { headers: { "content-type": type } });
    removeShownNotice(new Request(ORIGIN, { method, headers: { cookie } }), response);
    return response.headers.has("set-cookie");
  };
  assertEquals([removes("GET"), removes("POST")], [true, false]);
  assertEquals([removes("GET", "text/csv"), removes("GET", "text/html", "")], [false, false]);
});

const ORIGIN = "https://docket.example.com";

Deno.test("isCrossOrigin: by the browser's own word, or its origin; programs say neither", () => {
  const foreign = (headers: Record<string, string>) =>
    isCrossOrigin(new Request(`${ORIGIN}/sign-out`, { headers }), ORIGIN);
  const sites = { "same-origin": false, none: false, "same-site": true, "cross-site": true };
  for (const [site, isForeign] of Object.entries(sites)) {
    assertEquals(foreign({ "sec-fetch-site": site, origin: ORIGIN }), isForeign, site);
  }
  const origins = { [ORIGIN]: false, "https://other.example": true, null: true };
  for (const [origin, isForeign] of Object.entries(origins)) {
    assertEquals(foreign({ origin }), isForeign, origin);
  }
  assertEquals(foreign({}), false);
});

Deno.test("isNavigation: following a link in a tab, and nothing else", () => {
  const cases = [
    ["GET", "navigate", "document", "/schedules/101", true],
    ["POST", "navigate", "document", "/schedules/101", false],
    ["GET", "navigate", "iframe", "/schedules/101", false],
    ["GET", "no-cors", "document", "/schedules/101", false],
    ["GET", "navigate", "document", "/filesets/export", false],
  ] as const;
  for (const [method, mode, dest, pathname, isOne] of cases) {
    const headers = { "sec-fetch-mode": mode, "sec-fetch-dest": dest };
    assertEquals(isNavigation(new Request(ORIGIN, { method, headers }), pathname), isOne, mode);
  }
});

Deno.test("isServed: on a loopback address, requests for another host are not", () => {
  const isOk = (url: string, host = "127.0.0.1", publicOrigin: string | null = null) =>
    isServed(new URL(url), { host, publicOrigin });
  for (const url of ["http://localhost:8000/", "http://127.0.0.1/", "http://[::1]:8000/x"]) {
    assertEquals([isOk(url), isOk(url, "::1"), isOk(url, "localhost")], [true, true, true], url);
  }
  for (const url of ["http://evil.example.com:8000/", "http://localhost.evil.com/"]) {
    assertEquals(isOk(url), false, url);
    // The names that lead to other addresses, or to a proxy, are not known.
    assertEquals(isOk(url, "0.0.0.0"), true, url);
    assertEquals(isOk(url, "127.0.0.1", ORIGIN), true, url);
  }
});
