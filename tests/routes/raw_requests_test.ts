/** What only a raw connection can send: the program survives it, and goes on answering. */
import { assert, assertEquals } from "@std/assert";
import { SEARCH, TOKEN } from "../app.ts";
import { type Program, withProgram } from "../program.ts";

const AUTHORISED = `Host: localhost\r\nX-SERVICE-Developer-Token: ${TOKEN}\r\n`;
const POST = `POST ${SEARCH} HTTP/1.1\r\n${AUTHORISED}Content-Type: application/json\r\n`;
const NULS = "\0".repeat(2000);

const NONSENSE: Readonly<Record<string, string>> = {
  "no request line": "\r\n\r\n\r\n",
  "nonsense": `${NULS}\r\n\r\n`,
  "TLS on a port without": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "a version that is none": `GET / HTTP/9.9\r\n${AUTHORISED}\r\n`,
  "HTTP/2 without TLS": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "no host": "GET /filesets HTTP/1.1\r\n\r\n",
  "a host that is none": "GET /filesets HTTP/1.1\r\nHost: a b:99999\r\n\r\n",
  "another one": "GET /filesets HTTP/1.1\r\nHost: [::x]:99999/..%zz\r\n\r\n",
  "an absolute address": `GET http://evil.example:x/ HTTP/1.1\r\n${AUTHORISED}\r\n`,
  "no path": `GET  HTTP/1.1\r\n${AUTHORISED}\r\n`,
  "a star": `OPTIONS * HTTP/1.1\r\n${AUTHORISED}\r\n`,
  "CONNECT": `CONNECT evil.example:443 HTTP/1.1\r\n${AUTHORISED}\r\n`,
  "TRACE": `TRACE / HTTP/1.1\r\n${AUTHORISED}\r\n`,
  "bytes in the path": `GET /\xff\xfe%00\x7f HTTP/1.1\r\n${AUTHORISED}\r\n`,
  "a path of a megabyte": `GET /${"a".repeat(1_000_000)} HTTP/1.1\r\n${AUTHORISED}\r\n`,
  "a header of a megabyte": `GET / HTTP/1.1\r\n${AUTHORISED}A: ${"a".repeat(1_000_000)}\r\n\r\n`,
  "ten thousand headers": `GET / HTTP/1.1\r\n${AUTHORISED}${"A: b\r\n".repeat(10_000)}\r\n`,
  "a header without a name": `GET / HTTP/1.1\r\n${AUTHORISED}: x\r\n\r\n`,
  "two lengths": `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  "a length and chunks": `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  "a negative length": `${POST}Content-Length: -1\r\n\r\n{}`,
  "a chunk that is none": `${POST}Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n`,
  "a chunk without end": `${POST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
  "a body that stops": `${POST}Content-Length: 100\r\n\r\n{"filters"`,
  "an upgrade": `GET / HTTP/1.1\r\n${AUTHORISED}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  "a wish to go on": `${POST}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
};

async function connect({ origin }: Program): Promise<Deno.TcpConn> {
  return await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(origin).port) });
}

/** Writes what the server takes; it may close while there is still more. */
async function send(connection: Deno.TcpConn, text: string): Promise<void> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  try {
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  } catch (error) {
    const isClosed = error instanceof Deno.errors.BrokenPipe ||
      error instanceof Deno.errors.ConnectionReset;
    if (!isClosed) throw error;
  }
}

/** The beginning of what came back; nothing if the server only closes the connection. */
async function answerOn(connection: Deno.TcpConn): Promise<string> {
  const bytes = new Uint8Array(1000);
  try {
    const count = await connection.read(bytes);
    return String.fromCharCode(...bytes.subarray(0, count ?? 0));
  } catch {
    return "";
  }
}

async function assertAnswers({ origin }: Program, after: string): Promise<void> {
  const response = await fetch(`${origin}${SEARCH}?limit=1`, {
    method: "POST",
    headers: { "X-SERVICE-Developer-Token": TOKEN, "content-type": "application/json" },
    body: "{}",
    signal: AbortSignal.timeout(5000),
  });
  assertEquals([response.status, (await response.json()).pageContext.total], [200, 5000], after);
}

Deno.test("[e2e] the program: survives malformed requests", () =>
  withProgram({}, async (program) => {
    for (const [what, text] of Object.entries(NONSENSE)) {
      using connection = await connect(program);
      await send(connection, text);
      // Otherwise it waits for the rest of some of them.
      await connection.closeWrite().catch(() => {});
      const answer = await answerOn(connection);
      assert(!/^HTTP\/1\.[01] 5/.test(answer), `${what}: ${answer}`);
      await assertAnswers(program, what);
    }
    assertEquals(/panic|Uncaught/.test(program.printed()), false, program.printed());
  }));
