/** A receiver of webhooks for tests, on a real port. */
import { serveLocally } from "../../processes.ts";

/** What was received. */
interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Runs a test with a receiver that answers by a function. */
export async function withReceiver(
  answer: (received: Received, request: Request) => Response | Promise<Response>,
  test: (origin: string, received: readonly Received[]) => Promise<void>,
): Promise<void> {
  const received: Received[] = [];
  await using server = serveLocally(async (request) => {
    const { pathname, search } = new URL(request.url);
    const one = { path: pathname + search, headers: request.headers, body: await request.text() };
    received.push(one);
    return await answer(one, request);
  });
  await test(server.origin, received);
}
