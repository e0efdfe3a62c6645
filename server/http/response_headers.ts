/** What every answer has, whatever gave it: a page, a file, the API, an error, a server that ends. */
import { addCorsHeaders, isOperation } from "./cross_origin.ts";
import { withSecurityHeaders } from "./security_headers.ts";

/** Adds the headers of every answer; what a route said of caching stays. */
export async function withResponseHeaders(
  request: Request,
  response: Response,
  { publicOrigin, requestId }: {
    readonly publicOrigin: string | null;
    readonly requestId: string;
  },
): Promise<Response> {
  const answer = await withSecurityHeaders(request, response, publicOrigin);
  const { headers } = answer;
  headers.set("x-request-id", requestId);
  // Nearly everything is for the eyes of one signed-in person.
  if (!headers.has("cache-control")) headers.set("cache-control", "private, no-store");
  if (isOperation(URL.parse(request.url)?.pathname ?? "")) addCorsHeaders(headers);
  return answer;
}
