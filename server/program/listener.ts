/** Listens for requests, and stops gracefully. */
import type { Log } from "../log/log.ts";
import { failureReason } from "../log/log_problem.ts";
import type { ConnectionInfo } from "../http/client_address.ts";
import { isHealthRequest } from "./responses.ts";

const PAUSE_MS = 100;

/**
 * Listens like `Deno.serve`. If it can't accept connections, for example because too many files are
 * open, it closes idle ones and listens again; requests in flight get their response.
 */
export function listen(
  options: Deno.ServeTcpOptions & { readonly port: number },
  handler: Deno.ServeHandler<Deno.NetAddr>,
  log: Log,
) {
  let isStopping = false;
  let current = serve(options.port);
  const { port } = current.addr;
  const replaced = new Set<Promise<void>>();

  function serve(port: number): Deno.HttpServer<Deno.NetAddr> {
    const server = Deno.serve({ ...options, port }, handler);
    server.finished.catch((error) => {
      log.error("Can't accept connections; closing idle ones", { reason: failureReason(error) });
      const closing = server.shutdown().catch(() => {}).finally(() => replaced.delete(closing));
      replaced.add(closing);
      setTimeout(listenAgain, PAUSE_MS);
    });
    return server;
  }

  function listenAgain(): void {
    if (isStopping) return;
    try {
      current = serve(port);
    } catch {
      // The port is not free yet, or the limit of open files is still reached.
      setTimeout(listenAgain, PAUSE_MS);
    }
  }

  return {
    port,
    /** Accepts no new connections; resolves when all requests have been answered. */
    async shutdown(): Promise<void> {
      isStopping = true;
      await Promise.all([current.shutdown(), ...replaced]);
    },
  };
}

export type Handler = (request: Request, info?: ConnectionInfo) => Promise<Response>;

/**
 * Wraps `fetch`; `reject` handles requests that arrive while draining. Drain before shutting the server
 * down, because that cancels request bodies that are still arriving.
 */
export function createDraining(fetch: Handler, reject: Handler) {
  let inFlight = 0;
  const idle = Promise.withResolvers<void>();
  let draining = false;
  return {
    async fetch(request: Request, info?: ConnectionInfo): Promise<Response> {
      // Health checks still report that the program is alive, and not ready.
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
    drain(): Promise<void> {
      draining = true;
      if (inFlight === 0) idle.resolve();
      return idle.promise;
    },
  };
}
