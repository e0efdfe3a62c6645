/** An upstream service on a real port that behaves as a test wants, down to the bytes it sends. */
import {
  createTestService,
  makeFileSets,
  makeRuns,
  type TestClock,
  type TestService,
} from "../lib/testing/mod.ts";

/** The only schedule that the service knows. */
export const SCHEDULE = 101;

/** A request that came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** The connection that a request came on; it is closed when the behaviour returns. */
export interface Connection {
  /** Sends bytes; rejects when the other side is gone. */
  send(bytes: Uint8Array | string): Promise<void>;
  /** Resolves when the other side is gone. */
  readonly gone: Promise<void>;
}

/** What the service does with a request. */
export type Behaviour = (asked: Asked, connection: Connection) => void | Promise<void>;

/** A service on a port. */
export interface Upstream {
  readonly baseUrl: string;
  /** What is behind the good answers. */
  readonly service: TestService;
  /** Every request that was read. */
  readonly asked: readonly Asked[];
  /** How many bytes were sent in all. */
  readonly sent: number;
  /** What it does from now on; null is answering well. */
  behave(behaviour: Behaviour | null): void;
  /** Closes the port, so that connections are refused, or opens it again. */
  listen(open: boolean): void;
}

/** Runs a test against a service that has 300 file sets and a schedule of 600 runs, 100 on a page. */
export async function withUpstream(test: (upstream: Upstream) => Promise<void>): Promise<void> {
  const service = createTestService({
    fileSets: makeFileSets(300),
    runs: { [SCHEDULE]: makeRuns(600) },
    quirks: { mostRows: 100 },
  });
  const asked: Asked[] = [];
  const open = new Map<Deno.TcpConn, Promise<void>>();
  let behaviour: Behaviour | null = null;
  let sent = 0;

  async function serve(conn: Deno.TcpConn): Promise<void> {
    const gone = Promise.withResolvers<void>();
    try {
      const request = await readRequest(conn);
      if (!request) return;
      asked.push(request);
      // What else comes is nothing but the end.
      void conn.read(new Uint8Array(1)).catch(() => {}).finally(gone.resolve);
      const send = async (bytes: Uint8Array | string) => {
        let left = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
        while (left.length > 0) {
          const count = await conn.write(left);
          sent += count;
          left = left.subarray(count);
        }
      };
      await (behaviour ?? answerWell(service))(request, { send, gone: gone.promise });
    } catch (error) {
      if (!isGone(error)) throw error;
    } finally {
      hangUp(conn);
    }
  }

  let listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const accept = async (listener: Deno.TcpListener) => {
    for await (const conn of listener) {
      const served = serve(conn).finally(() => open.delete(conn));
      open.set(conn, served);
    }
  };
  let accepting = accept(listener);
  try {
    await test({
      baseUrl: `http://127.0.0.1:${port}/base`,
      service,
      asked,
      get sent() {
        return sent;
      },
      behave: (next) => behaviour = next,
      listen(opened) {
        if (!opened) return listener.close();
        listener = Deno.listen({ hostname: "127.0.0.1", port });
        accepting = accept(listener);
      },
    });
  } finally {
    try {
      listener.close();
    } catch {
      // The test closed it.
    }
    await accepting;
    // Who was given up may still hold the line: without this, a test would wait for it for ever.
    for (const conn of open.keys()) hangUp(conn);
    await Promise.all(open.values());
  }
}

function hangUp(conn: Deno.TcpConn): void {
  try {
    conn.close();
  } catch {
    // It was closed already.
  }
}

/** Answers with the rows of a service. */
export function answerWell(service: TestService): Behaviour {
  return async ({ method, path, headers, body }, { send }) => {
    const response = await service.fetch(`http://service.example${path}`, {
      method,
      headers,
      ...(method === "POST" ? { body } : {}),
    });
    await send(answer(response.status, {}, await response.text()));
  };
}

/** Answers with a status, and what else is said. */
export function answering(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Behaviour {
  return (_asked, { send }) => send(answer(status, headers, body));
}

/** Does something else than answering well to whatever is not a first page. */
export function afterFirstPage(upstream: Upstream, behaviour: Behaviour): Behaviour {
  const well = answerWell(upstream.service);
  return (asked, connection) =>
    (/[?&](offset|skip)=[1-9]/.test(asked.path) ? behaviour : well)(asked, connection);
}

/** Says nothing, or goes on saying little for ever, while the clock moves on. */
export function slow(clock: TestClock, stepMs: number, drip?: string): Behaviour {
  // Time is the same for all who wait together: one of them moves it.
  let isMoving = false;
  return async (_asked, { send, gone }) => {
    let isGone = false;
    void gone.then(() => isGone = true);
    if (drip) await send(head(200, { "content-type": "application/json" }));
    while (!isGone) {
      if (isMoving) {
        await awaitGone(gone, 5);
        continue;
      }
      isMoving = true;
      const pending = clock.pending;
      clock.advance(stepMs);
      // Whose time is over hangs up, and until that is seen no more time may pass.
      await awaitGone(gone, clock.pending < pending ? 10_000 : 5);
      isMoving = false;
      if (drip && !isGone) await send(drip);
    }
  };
}

/** Waits until the other side is gone, but not for long. */
async function awaitGone(gone: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([gone, promise]);
  clearTimeout(timer);
}

/** Sends the same bytes for ever. */
export function endless(headers: Readonly<Record<string, string>>, piece: Uint8Array): Behaviour {
  return async (_asked, { send }) => {
    await send(head(200, headers));
    for (;;) await send(piece);
  };
}

/** Text as one chunk of an answer that comes in chunks. */
export function chunk(text: string): Uint8Array {
  return new TextEncoder().encode(`${text.length.toString(16)}\r\n${text}\r\n`);
}

/** Answers with a few bytes that unpack to `length` bytes. */
export async function bomb(length: number): Promise<Behaviour> {
  const piece = new Uint8Array(1024 * 1024).fill(32);
  const pieces = ReadableStream.from((function* () {
    for (let left = length; left > 0; left -= piece.length) yield piece;
  })());
  const packed = await new Response(pieces.pipeThrough(new CompressionStream("gzip"))).bytes();
  const headers = { "content-encoding": "gzip", "content-length": String(packed.length) };
  return async (_asked, { send }) => {
    await send(head(200, headers));
    await send(packed);
  };
}

/** Sends the beginning of an answer that was to be longer, and hangs up. */
export function breakingOff(body: string): Behaviour {
  return (_asked, { send }) => send(head(200, { "content-length": "1000" }) + body);
}

function head(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\nconnection: close\r\n${lines.join("")}\r\n`;
}

function answer(status: number, headers: Readonly<Record<string, string>>, body: string): string {
  const length = String(new TextEncoder().encode(body).length);
  return head(status, status === 204 ? headers : { ...headers, "content-length": length }) + body;
}

/** Reads one request; undefined when the other side left before its end. */
async function readRequest(conn: Deno.TcpConn): Promise<Asked | undefined> {
  const decoder = new TextDecoder("latin1");
  const buffer = new Uint8Array(65_536);
  let text = "";
  for (;;) {
    const count = await conn.read(buffer);
    if (count === null) return undefined;
    text += decoder.decode(buffer.subarray(0, count), { stream: true });
    const end = text.indexOf("\r\n\r\n");
    if (end < 0) continue;
    const [first, ...lines] = text.slice(0, end).split("\r\n");
    const headers = new Headers(lines.map((line): [string, string] => {
      const [name] = line.split(":", 1);
      return [name, line.slice(name.length + 1).trim()];
    }));
    const body = text.slice(end + 4);
    if (body.length < Number(headers.get("content-length") ?? 0)) continue;
    const [method, path] = first.split(" ");
    return { method, path, headers, body };
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted;
}
