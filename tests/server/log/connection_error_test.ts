import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { connectionErrorReason } from "../../../server/log/connection_error.ts";

/** The fault of a request, with a query, to a port that does so with whoever connects. */
async function faultOf(
  scheme: "http" | "https",
  serve: (connection: Deno.Conn) => Promise<unknown>,
): Promise<string | undefined> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const served = (async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(1000));
      await serve(connection);
      connection.close();
    }
  })();
  try {
    const url = `${scheme}://127.0.0.1:${listener.addr.port}/path?planted=words`;
    return connectionErrorReason(await assertRejects(async () => await (await fetch(url)).text()));
  } finally {
    listener.close();
    await served;
  }
}

const send = (text: string) => (connection: Deno.Conn) =>
  connection.write(new TextEncoder().encode(text));

Deno.test("connectionErrorReason: says that nobody listens there", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  const error = await assertRejects(() => fetch(`http://127.0.0.1:${listener.addr.port}/?a=b`));
  assertMatch(connectionErrorReason(error)!, /^tcp connect error: Connection refused/);
});

Deno.test("connectionErrorReason: says that the connection closed without an answer", async () => {
  assertMatch(await faultOf("http", send("")) ?? "", /^connection closed before/);
});

Deno.test("connectionErrorReason: says that an answer broke off", async () => {
  const half = send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
  assertMatch(await faultOf("http", half) ?? "", /^error reading a body from connection/);
});

Deno.test("connectionErrorReason: says that there is no TLS", async () => {
  const plain = send("HTTP/1.1 400 Bad Request\r\n\r\n");
  assertMatch(await faultOf("https", plain) ?? "", /^received corrupt message|handshake/);
});

Deno.test("connectionErrorReason: says that the connection was reset", () => {
  const cause = new Error("Connection reset by peer (os error 104)");
  assertEquals(connectionErrorReason(new TypeError("fetch failed", { cause })), cause.message);
});

Deno.test("connectionErrorReason: says what is wrong with a certificate, without mail addresses", () => {
  const said = "invalid peer certificate: not valid for name, but for ann@example.com";
  const cause = new Error(
    `error sending request for url (https://localhost/?planted=words): client error (Connect): ${said}`,
  );
  const fault = connectionErrorReason(new TypeError("fetch failed", { cause }));
  assertEquals(fault, said.replace("ann@", "a…@"));
});

Deno.test("connectionErrorReason: what the other side says at its end stays out", () => {
  for (
    const said of [
      'http2 error: connection error received: not a result of an error (b"planted (os error 1)")',
      "https://localhost/?planted=words (os error 104)",
      "planted words (os error 104)",
    ]
  ) {
    const cause = new Error(said);
    assertEquals(connectionErrorReason(new TypeError("fetch failed", { cause })), undefined, said);
  }
});

Deno.test("connectionErrorReason: of anything else it knows nothing", () => {
  for (const other of [new Error("broken"), new TypeError("fetch failed"), "text", undefined]) {
    assertEquals(connectionErrorReason(other), undefined);
  }
});
