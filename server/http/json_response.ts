/** JSON responses: compressed if the client wants that, and not sent again if nothing changed. */
import { eTag, ifNoneMatch } from "@std/http/etag";
import { textResponse } from "./text_response.ts";

const JSON_TYPE = "application/json";

/** A response with a value. */
export async function jsonResponse(request: Request, value: unknown): Promise<Response> {
  return await textResponse(request, JSON.stringify(value), {
    headers: { "content-type": JSON_TYPE },
  });
}

/** A response with a value, or 304 if the client already has it. */
export async function conditionalJsonResponse(request: Request, value: unknown): Promise<Response> {
  const text = JSON.stringify(value);
  // Weak, because the tag is the same for every encoding.
  const etag: string = await eTag(text, { weak: true });
  const headers = { etag, vary: "accept-encoding", "content-type": JSON_TYPE };
  if (!ifNoneMatch(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers: { etag, vary: headers.vary } });
  }
  return await textResponse(request, text, { headers });
}
