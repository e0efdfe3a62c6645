/** The client: both operations of the interface over HTTP. */
import { checkGiven } from "../check.ts";
import { type Client, clientOf } from "./operations.ts";
import { normalizeBaseUrl } from "./transport/request.ts";
import { type ClientOptions, resolveOptions } from "./transport/settings.ts";

/**
 * Makes a client.
 *
 * Arguments of a call are checked before anything is sent; a wrong one rejects the result with a
 * `ConfigurationError`. {@linkcode isDocketError} recognizes this and all other errors.
 *
 * @param options Where the service is, the token, and how requests are sent.
 * @throws {ConfigurationError} When an option can't be used.
 *
 * @example
 * ```ts
 * import { createClient } from "@docket/docket";
 *
 * const client = createClient({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   // Stands in for the service in this example.
 *   fetch: () => Promise.resolve(Response.json({ fileSets: [], pageContext: { total: 0 } })),
 * });
 * const page = await client.fileSets.search({ fieldSort: [{ field: "name", order: "ASC" }] });
 * console.assert(page.fileSets.length === 0);
 * for await (const fileSet of client.fileSets.search()) console.log(fileSet.name);
 * ```
 */
export function createClient(options: ClientOptions): Client {
  checkGiven("baseUrl", options.baseUrl !== undefined);
  return clientOf(normalizeBaseUrl(options.baseUrl), resolveOptions(options));
}
