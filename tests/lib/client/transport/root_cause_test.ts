import { assertEquals } from "@std/assert";
import { describeRootCause } from "../../../../lib/client/transport/root_cause.ts";

function failed(message: string, code?: string): Error {
  const cause = Object.assign(new Error(message), code === undefined ? {} : { code });
  return new TypeError("fetch failed", { cause });
}

Deno.test("describeRootCause: what the runtimes say, in common words", () => {
  const errors = [Object.assign(new Error("x"), { code: "ECONNREFUSED" }), new Error("other")];
  const noTls = "no TLS at this port: write http://";
  const cases: [string, unknown][] = [
    ["connection refused", failed("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED")],
    ["connection refused", new TypeError("tcp connect error: Connection refused (os error 111)")],
    ["connection refused", Object.assign(new Error("Unable"), { code: "ConnectionRefused" })],
    ["port not allowed", new TypeError("Fetch failed: Requests to port 1 are blocked")],
    ["port not allowed", failed("bad port")],
    ["name not found", failed("getaddrinfo ENOTFOUND nowhere.example", "ENOTFOUND")],
    ["name not found", new TypeError("client error (Connect): dns error: failed to lookup")],
    ["certificate expired", failed("certificate has expired", "CERT_HAS_EXPIRED")],
    ["certificate expired", new TypeError("invalid peer certificate: Expired")],
    ["certificate not trusted", failed("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT")],
    ["certificate not trusted", new TypeError("invalid peer certificate: UnknownIssuer")],
    [noTls, new TypeError("client error (Connect): corrupt message of type InvalidContentType")],
    [noTls, failed("ssl3_get_record:wrong version number", "ERR_SSL_WRONG_VERSION_NUMBER")],
    ["connection reset", failed("read ECONNRESET", "ECONNRESET")],
    ["connection reset", failed("other side closed", "UND_ERR_SOCKET")],
    ["connection timed out", failed("Connect Timeout Error", "UND_ERR_CONNECT_TIMEOUT")],
    // Of several addresses the first one's.
    ["connection refused", new TypeError("fetch failed", { cause: new AggregateError(errors) })],
  ];
  for (const [words, error] of cases) assertEquals(describeRootCause(error), words, String(error));
});

Deno.test("describeRootCause: an unknown one in its own words, and nothing where there are none", () => {
  assertEquals(describeRootCause(failed("the moon is in the way")), "the moon is in the way");
  for (const error of [new TypeError("fetch failed"), "text", null, undefined]) {
    assertEquals(describeRootCause(error), "");
  }
  const circle = new Error("round");
  circle.cause = circle;
  assertEquals(describeRootCause(circle), "");
});
