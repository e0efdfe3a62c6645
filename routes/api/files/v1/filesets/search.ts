import { jsonResponse } from "../../../../../server/http/json_response.ts";
import { readSearchRequest } from "../../../../../server/api/search_request.ts";
import { handler } from "./$search.ts";

/** The interface's first operation: one page of the file sets that match. */
export const handlers = handler({
  async POST(ctx) {
    const { backend, json, services } = ctx.state;
    const { body, options } = await readSearchRequest(ctx.req, services.store?.searchIssues);
    const { signal } = ctx.req;
    const page = await (json ?? backend).fileSets.search(body, { ...options, signal });
    return jsonResponse(ctx.req, page);
  },
});
