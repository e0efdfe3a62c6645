/** The service for tests on a port, for clients in any language. */
import type { TestService } from "./service.ts";

/** A service on a port. */
export interface Listening extends AsyncDisposable {
  /** Base URL, on this machine's loopback address. */
  readonly url: string;
  /** Stops listening, and breaks off what is open. */
  close(): Promise<void>;
}

/** The part of Node's `http` that is used here; Deno and Bun have it, too. */
interface Http {
  createServer(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): {
    listen(port: number, host: string, listening: () => void): unknown;
    once(event: "error", callback: (error: Error) => void): unknown;
    address(): { readonly port: number };
    close(closed: () => void): unknown;
    closeAllConnections(): void;
  };
}

interface IncomingMessage extends AsyncIterable<Uint8Array> {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface ServerResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(bytes: Uint8Array): unknown;
  end(): unknown;
  destroy(): unknown;
  on(event: "close", callback: () => void): unknown;
}

/**
 * Serves a test service over HTTP. A fault that breaks the connection really breaks it.
 *
 * @param port The port; a free one unless given.
 * @returns Where it listens, and how to stop it.
 * @throws {Error} When the runtime has no HTTP server, or the port is taken.
 *
 * @example
 * ```ts
 * import { createClient } from "@docket/docket";
 * import { createTestService, listen, makeFileSets } from "@docket/docket/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = await listen(createTestService({ fileSets: makeFileSets(3) }));
 * const client = createClient({ baseUrl: server.url, token: "any" });
 * assertEquals((await client.fileSets.search()).fileSets.length, 3);
 * ```
 */
export async function listen(
  service: Pick<TestService, "fetch">,
  port = 0,
): Promise<Listening> {
  const server = nodeHttp().createServer((request, response) => {
    void answer(service, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, close, [Symbol.asyncDispose]: close };
}

/** Looked up and not imported, so that this module loads in browsers too. */
function nodeHttp(): Http {
  const { process } = globalThis as unknown as {
    readonly process?: { getBuiltinModule?(name: string): Http };
  };
  const http = process?.getBuiltinModule?.("http");
  if (!http) throw new Error("This runtime has no HTTP server");
  return http;
}

async function answer(
  service: Pick<TestService, "fetch">,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  try {
    let body = "";
    const decoder = new TextDecoder();
    for await (const bytes of request) body += decoder.decode(bytes, { stream: true });
    const { method, headers } = request;
    const answer = await service.fetch(`http://${headers.host}${request.url}`, {
      method,
      headers,
      signal: gone.signal,
      ...(body && { body }),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const part of answer.body ?? []) response.write(part);
    response.end();
  } catch {
    // A fault broke the connection, or the client left.
    response.destroy();
  }
}
