import { assertEquals } from "@std/assert";
import { isLoopback, isServed } from "../../../server/http/host.ts";

Deno.test("isLoopback: this machine's own names and addresses, as settings and URLs write them", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"]) {
    assertEquals(isLoopback(host), true, host);
  }
  for (
    const host of ["0.0.0.0", "::", "localhost.example.com", "127.0.0.1.nip.io", "10.0.0.1", ""]
  ) {
    assertEquals(isLoopback(host), false, host);
  }
});

Deno.test("isServed: on a loopback address, requests for another host are not", () => {
  const isOk = (url: string, host = "127.0.0.1", publicOrigin: string | null = null) =>
    isServed(new URL(url), { host, publicOrigin });
  for (const url of ["http://localhost:8000/", "http://127.0.0.1/", "http://[::1]:8000/x"]) {
    assertEquals([isOk(url), isOk(url, "::1"), isOk(url, "localhost")], [true, true, true], url);
  }
  for (
    const url of ["http://evil.example.com:8000/", "http://localhost.evil.com/", "http://10.0.0.1"]
  ) {
    assertEquals(isOk(url), false, url);
    // The names that lead to other addresses, or to a proxy, are not known.
    assertEquals(isOk(url, "0.0.0.0"), true, url);
    assertEquals(isOk(url, "127.0.0.1", "https://docket.example.com"), true, url);
  }
});
