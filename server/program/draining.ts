/** Ends a server without cutting anybody off: new requests are turned away, those in flight finish. */
import type { ConnectionInfo } from "../http/client_address.ts";
import { isHealthRequest } from "./health.ts";

/** How requests are answered. */
export type Fetch = (request: Request, info?: ConnectionInfo) => Promise<Response>;

/** Answers requests until it is told to drain. */
export interface Draining {
  readonly fetch: Fetch;
  /** Turns new requests away; resolves when none is in flight any more. */
  drain(): Promise<void>;
}

/**
 * Wraps `fetch`; `turnAway` answers who comes too late. The server's own shutdown waits for answers,
 * but takes the bodies of requests away that are still arriving; it has to come after this.
 */
export function createDraining(fetch: Fetch, turnAway: Fetch): Draining {
  let inFlight = 0;
  const idle = Promise.withResolvers<void>();
  let draining = false;
  return {
    async fetch(request, info) {
      // Who watches the program is told that it lives, and is not ready.
      if (draining && !isHealthRequest(request)) {
        const answer = await turnAway(request, info);
        answer.headers.set("connection", "close");
        return answer;
      }
      inFlight++;
      try {
        return await fetch(request, info);
      } finally {
        if (--inFlight === 0 && draining) idle.resolve();
      }
    },
    drain() {
      draining = true;
      if (inFlight === 0) idle.resolve();
      return idle.promise;
    },
  };
}
