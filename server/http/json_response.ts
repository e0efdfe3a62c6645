/** JSON responses: compressed on request, and not sent again if nothing changed. */
import { eTag, ifNoneMatch } from "@std/http/etag";
import { textResponse } from "./text_response.ts";

/** Text that is JSON already; its version differs for every text, and is much quicker to hash. */
interface JsonText {
  readonly json: string;
  readonly version: string;
}

export async function jsonResponse(
  request: Request,
  value: object | JsonText,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const text = isText(value) ? value.json : JSON.stringify(value);
  const init = { headers: new Headers({ ...headers, "content-type": "application/json" }) };
  return await textResponse(request, text, init);
}

export async function conditionalJsonResponse(
  request: Request,
  value: object | JsonText,
): Promise<Response> {
  const version = isText(value) ? value.version : JSON.stringify(value);
  // Weak, because the tag is the same for every encoding.
  const etag: string = await eTag(version, { weak: true });
  const headers = { etag, vary: "accept-encoding" };
  return ifNoneMatch(request.headers.get("if-none-match"), etag)
    ? await jsonResponse(request, value, headers)
    : new Response(null, { status: 304, headers });
}

function isText(value: object): value is JsonText {
  return "json" in value && "version" in value;
}
