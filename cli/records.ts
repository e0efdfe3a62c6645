/** Docket's own records, by its API: `/api/docket/v1`. */
import { parseJson } from "../lib/client/decode.ts";
import { DEFAULT_LIMIT } from "../lib/client/backend.ts";
import { normalizeBaseUrl } from "../lib/client/transport/request.ts";
import { resolveOptions } from "../lib/client/transport/settings.ts";
import { send } from "../lib/client/transport/transport.ts";
import type { ClientOptions } from "../lib/mod.ts";

type Query = Readonly<Record<string, string | number | undefined>>;

interface Sending {
  readonly query?: Query | undefined;
  /** What is sent as JSON. */
  readonly body?: unknown;
  /** A file that is sent instead. */
  readonly csv?: string;
  readonly signal?: AbortSignal;
}

export type Records = ReturnType<typeof recordsAt>;

export function recordsAt(options: ClientOptions) {
  async function call<Answer>(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    { query = {}, body, csv, signal }: Sending = {},
  ): Promise<Answer> {
    const url = new URL(`${normalizeBaseUrl(options.baseUrl)}/api/docket/v1/${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const type = csv === undefined ? "application/json" : "text/csv";
    const text = csv ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = {
      operation: "use Docket's records",
      ...{ method, url: url.href },
      headers: { accept: "application/json", ...text !== undefined && { "content-type": type } },
      ...text !== undefined && { body: text },
    };
    const read = (answer: string) => (answer === "" ? null : parseJson(answer)) as Answer;
    // What is done twice may not be the same as done once.
    const attempts = method === "POST" ? 1 : options.attempts;
    const settings = resolveOptions({ ...options, attempts });
    return (await send(request, read, settings, { signal })).data;
  }

  return {
    call,
    /** All items of a list, page by page. */
    async *list<Item>(path: string, query: Query = {}): AsyncGenerator<Item> {
      for (let offset = 0;;) {
        const page = await call<{ readonly items: readonly Item[]; readonly total: number }>(
          "GET",
          path,
          { query: { ...query, limit: DEFAULT_LIMIT, offset } },
        );
        yield* page.items;
        offset += page.items.length;
        if (page.items.length === 0 || offset >= page.total) return;
      }
    },
  };
}
