/**
 * JSON answers of the interface: compressed where that is wanted, and not sent again where nothing
 * changed.
 *
 * @module
 */

import { eTag, ifNoneMatch } from "@std/http/etag";
import { textResponse } from "./text_response.ts";

const JSON_TYPE = "application/json";

/** Answers with a value. */
export async function jsonResponse(request: Request, value: unknown): Promise<Response> {
  return await textResponse(request, JSON.stringify(value), {
    headers: { "content-type": JSON_TYPE },
  });
}

/** Answers with a value, or with 304 when the caller already has it. */
export async function conditionalJsonResponse(request: Request, value: unknown): Promise<Response> {
  const text = JSON.stringify(value);
  // Weak: the tag is of the value, however it is compressed.
  const etag: string = await eTag(text, { weak: true });
  const headers = { etag, vary: "accept-encoding", "content-type": JSON_TYPE };
  if (!ifNoneMatch(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers: { etag, vary: headers.vary } });
  }
  return await textResponse(request, text, { headers });
}
