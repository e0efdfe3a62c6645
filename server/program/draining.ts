/** Stops a server gracefully: rejects new requests, and lets those in flight finish. */
import type { ConnectionInfo } from "../http/client_address.ts";
import { isHealthRequest } from "./health.ts";

export type Handler = (request: Request, info?: ConnectionInfo) => Promise<Response>;

/**
 * Wraps `fetch`; `reject` handles requests that come while draining. The server's own shutdown waits
 * for responses but cancels request bodies that are still arriving, so it has to come after this.
 */
export function createDraining(fetch: Handler, reject: Handler) {
  let inFlight = 0;
  const idle = Promise.withResolvers<void>();
  let draining = false;
  return {
    async fetch(request: Request, info?: ConnectionInfo): Promise<Response> {
      // Health checks report that the program is alive and not ready.
      if (draining && !isHealthRequest(request)) {
        const response = await reject(request, info);
        response.headers.set("connection", "close");
        return response;
      }
      inFlight++;
      try {
        return await fetch(request, info);
      } finally {
        if (--inFlight === 0 && draining) idle.resolve();
      }
    },
    /** Rejects new requests; resolves when none is in flight. */
    drain(): Promise<void> {
      draining = true;
      if (inFlight === 0) idle.resolve();
      return idle.promise;
    },
  };
}
