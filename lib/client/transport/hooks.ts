/** The hooks through which a client reports its requests, without secrets. */
import type { AnyDocketError } from "../../errors.ts";

/** A request that is about to be sent. */
export interface RequestInfo {
  /** HTTP method. */
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/** An answer, whatever its status. */
export interface ResponseInfo extends RequestInfo {
  /** HTTP status. */
  readonly status: number;
  /** The headers under lower-case names, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Time from sending the request to the end of the body, in milliseconds. */
  readonly ms: number;
}

/** An attempt that failed and is followed by another. */
export interface RetryInfo extends RequestInfo {
  /** Why it failed. */
  readonly error: AnyDocketError;
  /** How long the client waits before the next attempt, in milliseconds. */
  readonly waitMs: number;
}

/** Functions that a client calls while it works. If one throws, the call fails with its error. */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: (request: RequestInfo) => void;
  /** Called after each attempt that got an answer. */
  readonly onResponse?: (response: ResponseInfo) => void;
  /** Called before the wait for another attempt. */
  readonly onRetry?: (retry: RetryInfo) => void;
}

/**
 * Makes hooks that write a line for each attempt, answer and wait, for debugging. No line contains a
 * secret.
 *
 * @param write Called with each line.
 * @returns The hooks, to be spread into the options of `createClient`.
 *
 * @example
 * ```ts
 * import { createClient, logHooks } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const lines: string[] = [];
 * const client = createClient({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   // Stands in for the service in this example.
 *   fetch: () => Promise.resolve(Response.json([])),
 *   ...logHooks((line) => lines.push(line)),
 * });
 * await client.reportSchedules.history(101);
 * assertEquals(lines.length, 2);
 * ```
 */
export function logHooks(write: (line: string) => void): Required<Hooks> {
  return {
    onRequest: ({ method, url, attempt }) => write(`→ ${method} ${url}, attempt ${attempt}`),
    onResponse: ({ status, ms, headers }) => {
      const id = headers["x-request-id"];
      write(`← ${status} in ${Math.round(ms)} ms${id ? `, request id ${id}` : ""}`);
    },
    onRetry: ({ error, waitMs }) => write(`↻ in ${waitMs} ms: ${error.message}`),
  };
}
