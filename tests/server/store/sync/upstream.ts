/** An upstream service for sync: a store behind the interface, which notes what it was asked for. */
import { problemOf, problemResponse } from "../../../../server/http/problem.ts";
import { readHistoryRequest, readSearchRequest } from "../../../../server/api/search_request.ts";
import type { Store } from "../../../../server/store/store.ts";
import { openSqliteStore } from "../open_stores.ts";

/** The token that it accepts. */
export const TOKEN = "token-of-the-upstream";

/** A running upstream service. */
export interface Upstream {
  readonly url: string;
  readonly store: Store;
  /** The path and query of each request so far. */
  readonly requests: string[];
  /** Answers runs in another order, when set. */
  order: "newest first" | "oldest first";
  /** Refuses the requests whose path and query match, when set. */
  refused?: RegExp;
}

/** Serves an upstream while the work is done. */
export async function withUpstream(work: (upstream: Upstream) => Promise<void>): Promise<void> {
  const store = await openSqliteStore({ path: ":memory:" });
  const requests: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  const url = `http://127.0.0.1:${server.addr.port}`;
  const upstream: Upstream = { url, store, requests, order: "newest first" };

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    requests.push(url.pathname + url.search);
    if (request.headers.get("X-SERVICE-Developer-Token") !== TOKEN) {
      return new Response(null, { status: 401 });
    }
    if (upstream.refused?.test(url.pathname + url.search)) {
      return new Response(null, { status: 403 });
    }
    try {
      if (url.pathname.endsWith("/search")) {
        const { body, options } = await readSearchRequest(request, url, store.searchIssues);
        return Response.json(await store.fileSets.search(body, options));
      }
      const { scheduleId, options } = readHistoryRequest(url, url.pathname.split("/").at(-2)!);
      if (upstream.order === "newest first") {
        return Response.json(await store.reportSchedules.history(scheduleId, options));
      }
      const all = await store.reportSchedules.history(scheduleId, { limit: 1000 });
      const { limit = 100, skip = 0 } = options;
      return Response.json(all.toReversed().slice(skip, skip + limit));
    } catch (error) {
      return problemResponse(problemOf(error));
    }
  }

  try {
    await work(upstream);
  } finally {
    await server.shutdown();
    await store.close();
  }
}
