import { assertEquals } from "@std/assert";
import { clientAddress } from "../../../server/http/client_address.ts";

function client(
  remote: string | null,
  { forwarded, isBehindProxy = false }: { forwarded?: string; isBehindProxy?: boolean } = {},
): string {
  const headers: HeadersInit = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const info = remote === null
    ? undefined
    : { remoteAddr: { transport: "tcp", hostname: remote, port: 40_000 } as const };
  return clientAddress(new Request("http://localhost/", { headers }), info, isBehindProxy);
}

Deno.test("clientAddress: is that of the connection; what the client says of itself counts nothing", () => {
  assertEquals(client("192.0.2.1"), "192.0.2.1");
  assertEquals(client("192.0.2.1", { forwarded: "198.51.100.9" }), "192.0.2.1");
});

Deno.test("clientAddress: behind a proxy it is what the proxy itself saw", () => {
  const behind = (forwarded?: string) => client("127.0.0.1", { forwarded, isBehindProxy: true });
  assertEquals(behind("198.51.100.9"), "198.51.100.9");
  assertEquals(behind("made up, 203.0.113.5, 198.51.100.9"), "198.51.100.9");
  assertEquals(behind("198.51.100.9:41234"), "198.51.100.9");
  assertEquals(behind("[2001:db8:1:2::9]:41234"), "2001:db8:1:2");
  assertEquals(behind(), "127.0.0.1");
  assertEquals(behind(""), "127.0.0.1");
  assertEquals(behind("x".repeat(1000)).length, 64);
});

Deno.test("clientAddress: a customer's network of IPv6 is one client", () => {
  for (const address of ["2001:db8:1:2::1", "2001:0DB8:1:2:ffff::", "2001:db8:1:2:3:4:5:6"]) {
    assertEquals(client(address), "2001:db8:1:2");
  }
  assertEquals(client("2001:db8::1:0:0:0:1"), "2001:db8:0:1");
  assertEquals(client("fe80::1%eth0"), "fe80:0:0:0");
});

Deno.test("clientAddress: this machine is one client, as is each IPv4 address", () => {
  for (const address of ["127.0.0.1", "127.8.9.10", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.2"]) {
    assertEquals(client(address), "127.0.0.1", address);
  }
  for (
    const address of [
      "192.0.2.1",
      "::ffff:192.0.2.1",
      "::FFFF:c000:0201",
      "0:0:0:0:0:ffff:c000:201",
    ]
  ) {
    assertEquals(client(address), "192.0.2.1", address);
  }
});

Deno.test("clientAddress: what is no address is one client of its own", () => {
  assertEquals(client("127.0.0.1", { forwarded: "1:2:zz", isBehindProxy: true }), "1:2:zz");
  assertEquals(client("127.0.0.1", { forwarded: "unix:", isBehindProxy: true }), "unix:");
});

Deno.test("clientAddress: without a connection it is unknown", () => {
  assertEquals(client(null), "unknown");
});
