/** Requests to receivers, with limits on time and size, without redirects. */
import { parseRetryAfter } from "../../../lib/client/transport/retry.ts";
import { knownCauseOf } from "../../../lib/client/transport/root_cause.ts";
import { OutletError } from "./outlet.ts";

export const RECEIVER_MS = 10_000;
export const MOST_ANSWER_BYTES = 64 * 1024;

/** Sends requests: the runtime's `fetch`, unless a test has another. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** @throws {OutletError} Unless the status is 2xx. */
export async function post(
  url: string,
  init: RequestInit,
  { send = fetch, timeoutMs = RECEIVER_MS }: {
    readonly send?: Send;
    readonly timeoutMs?: number;
  } = {},
): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const response = await send(url, { ...init, redirect: "manual", signal: late.signal });
    // The status says whether it was accepted; the rest of the answer does not matter.
    await drainBody(response).catch(() => {});
    const { status, headers } = response;
    if (response.ok) return;
    if (status >= 300 && status < 400) {
      throw new OutletError("The receiver answered with a redirect");
    }
    const retryAfterMs = parseRetryAfter(headers.get("retry-after"), Date.now()) ?? 0;
    throw new OutletError(`The receiver answered with status ${status}`, retryAfterMs);
  } catch (error) {
    if (error instanceof OutletError) throw error;
    if (late.signal.aborted) {
      throw new OutletError(`The receiver did not answer within ${timeoutMs / 1000} s`);
    }
    if (error instanceof Deno.errors.NotCapable) {
      throw new OutletError("The settings do not name its host: see WEBHOOK_HOSTS");
    }
    // The runtime's message contains the address, which may hold a secret.
    const why = knownCauseOf(error);
    throw new OutletError(`The receiver could not be reached${why && `: ${why}`}`);
  } finally {
    clearTimeout(timer);
  }
}

export function postJson(url: string, body: unknown, send?: Send): Promise<void> {
  const headers = { "content-type": "application/json" };
  return post(url, { method: "POST", headers, body: JSON.stringify(body) }, { send });
}

export function sendHeartbeat(url: string): Promise<void> {
  return post(url, { method: "GET" });
}

/** Reads an answer to its end or the limit, so that the connection can be reused. */
async function drainBody({ body }: Response): Promise<void> {
  if (!body) return;
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MOST_ANSWER_BYTES) break;
  }
}
