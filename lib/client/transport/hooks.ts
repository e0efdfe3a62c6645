/** Hooks that write what a client does, without secrets. */
import type { ClientOptions } from "./settings.ts";

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
export function logHooks(
  write: (line: string) => void,
): Required<Pick<ClientOptions, "onRequest" | "onResponse" | "onRetry">> {
  return {
    onRequest: ({ method, url, attempt }) => write(`→ ${method} ${url}, attempt ${attempt}`),
    onResponse: ({ status, ms, headers }) => {
      const id = headers["x-request-id"];
      write(`← ${status} in ${Math.round(ms)} ms${id ? `, request id ${id}` : ""}`);
    },
    onRetry: ({ error, waitMs }) => write(`↻ in ${waitMs} ms: ${error.message}`),
  };
}
