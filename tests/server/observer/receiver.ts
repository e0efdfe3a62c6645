/** A receiver of webhooks for tests, on a real port. */

/** What was received. */
export interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Runs a test with a receiver that answers as told. */
export async function withReceiver(
  answer: (received: Received, request: Request) => Response | Promise<Response>,
  test: (origin: string, received: readonly Received[]) => Promise<void>,
): Promise<void> {
  const received: Received[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const one = {
        path: pathname + search,
        headers: request.headers,
        body: await request.text(),
      };
      received.push(one);
      return await answer(one, request);
    },
  );
  try {
    await test(`http://127.0.0.1:${server.addr.port}`, received);
  } finally {
    await server.shutdown();
  }
}
