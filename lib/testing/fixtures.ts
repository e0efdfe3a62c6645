/** Answers of a real service, recorded without its secrets and played back in tests. */
import { isSecretHeader } from "../check.ts";
import { createRedactor } from "../client/transport/redact.ts";
import { maskAddresses } from "../runs/mask.ts";

/** One request and its answer. Plain JSON. */
export interface Fixture {
  /** HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Body of the request; empty without one. */
  readonly body: string;
  /** HTTP status. */
  readonly status: number;
  /** The answer's content type. */
  readonly contentType: string;
  /** Body of the answer. */
  readonly text: string;
}

/** Sends a request, as the option `fetch` of a client. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>;

/** Records what passes. */
export interface Recorder {
  /** To be given to `createClient`. */
  readonly fetch: SendRequest;
  /** What was recorded so far. */
  readonly fixtures: readonly Fixture[];
}

/**
 * Records requests and answers. The values of headers that sound secret, the token's among them, are
 * removed wherever they stand, and so are the given secrets; email addresses are masked. Whatever
 * else is confidential in the rows is for the caller to take out.
 *
 * @param send Sends the requests. Default: the global `fetch`.
 * @param secrets Further texts to remove.
 */
export function recordFixtures(
  send: SendRequest = (url, init) => fetch(url, init),
  secrets: readonly string[] = [],
): Recorder {
  const fixtures: Fixture[] = [];
  const redactor = createRedactor();
  secrets.forEach(redactor.add);
  const shown = (text: string) => maskAddresses(redactor.redact(text));
  return {
    fixtures,
    async fetch(url, init) {
      for (const [name, value] of new Headers(init.headers)) {
        if (isSecretHeader(name)) redactor.add(value);
      }
      const response = await send(url, init);
      const text = await response.text();
      const { pathname, search } = new URL(url);
      fixtures.push({
        method: init.method ?? "GET",
        path: shown(pathname + search),
        body: shown(typeof init.body === "string" ? init.body : ""),
        status: response.status,
        contentType: response.headers.get("content-type") ?? "",
        text: shown(text),
      });
      const { status, headers } = response;
      return new Response(text === "" ? null : text, { status, headers });
    },
  };
}

/**
 * Plays recorded answers back. A request that was recorded several times gets its answers in order,
 * and then the last one again.
 *
 * @returns To be given to `createClient`. It throws for a request that was not recorded.
 *
 * @example
 * ```ts
 * import { createClient } from "@docket/docket";
 * import { createTestService, makeFileSets, recordFixtures, replayFixtures } from "@docket/docket/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const baseUrl = "https://service.example";
 * // In place of a real service.
 * const { fetch, fixtures } = recordFixtures(createTestService({ fileSets: makeFileSets(3) }).fetch);
 * await createClient({ baseUrl, token: "secret-token", fetch }).fileSets.search();
 *
 * const client = createClient({ baseUrl, token: null, fetch: replayFixtures(fixtures) });
 * assertEquals((await client.fileSets.search()).fileSets, makeFileSets(3));
 * ```
 */
export function replayFixtures(fixtures: readonly Fixture[]): SendRequest {
  const played = new Map<string, number>();
  return (url, init) => {
    const { pathname, search } = new URL(url);
    const { method = "GET", body } = init;
    const path = pathname + search;
    const own = fixtures.filter((fixture) =>
      fixture.method === method && fixture.path === path && fixture.body === (body ?? "")
    );
    const key = `${method} ${path} ${body}`;
    const count = played.get(key) ?? 0;
    played.set(key, count + 1);
    const fixture = own[Math.min(count, own.length - 1)];
    if (!fixture) return Promise.reject(new Error(`No fixture for ${method} ${path}`));
    const { status, contentType, text } = fixture;
    const headers = { "content-type": contentType };
    return Promise.resolve(new Response(text === "" ? null : text, { status, headers }));
  };
}
