/** The headers of every response: pages, files, the API, errors and a server that is stopping. */
import { addCorsHeaders } from "./cross_origin.ts";
import { operationAt } from "./operation_path.ts";
import { type Site, withSecurityHeaders } from "./security_headers.ts";

/** Adds the common headers; a route's own Cache-Control stays. */
export async function withResponseHeaders(
  request: Request,
  response: Response,
  { site, requestId, pathname = URL.parse(request.url)?.pathname ?? "" }: {
    /** How browsers reach Docket; null before the settings are known. */
    readonly site: Site | null;
    readonly requestId: string;
    /** The path in its normal form. Default: as the request has it. */
    readonly pathname?: string;
  },
): Promise<Response> {
  const answer = withChangeableHeaders(response);
  const { headers } = answer;
  headers.set("x-request-id", requestId);
  // Nearly every response is for one signed-in person only.
  if (!headers.has("cache-control")) headers.set("cache-control", "private, no-store");
  // A page is a new response from here on, which is sent quickest if nothing changes its headers.
  const result = await withSecurityHeaders(request, answer, site);
  if (operationAt(pathname)) addCorsHeaders(result.headers);
  return result;
}

/** The response itself, or a copy where its headers can't be changed, as those of `Response.redirect`. */
function withChangeableHeaders(response: Response): Response {
  try {
    response.headers.delete("x-content-type-options");
    return response;
  } catch {
    return new Response(response.body, response);
  }
}
