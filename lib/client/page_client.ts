/** The client of a web page that Docket served: it talks to the page's own origin. */
import { type Client, clientOf } from "./operations.ts";
import { DEFAULT_TOKEN_HEADER } from "./transport/request.ts";
import { systemRuntime } from "./transport/runtime.ts";
import type { ClientSettings } from "./transport/settings.ts";

/**
 * Makes a client for a page of the same origin as the service. It sends no token, since the session
 * cookie is enough, and attempts once, since the server retries. It loads only what that needs.
 */
export function createPageClient(origin: string): Client {
  const settings: ClientSettings = {
    fetch: (url, init) => fetch(url, init),
    token: null,
    tokenHeader: DEFAULT_TOKEN_HEADER,
    headers: {},
    attempts: 1,
    timeoutMs: 30_000,
    deadlineMs: 120_000,
    hooks: {},
    runtime: systemRuntime(),
    redactor: { add() {}, redact: (text) => text },
  };
  return clientOf(origin, settings);
}
