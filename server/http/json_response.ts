/** JSON responses: compressed on request, and not sent again if nothing changed. */
import { eTag, ifNoneMatch } from "@std/http/etag";
import { textResponse } from "./text_response.ts";

interface JsonText {
  readonly json: string;
  /** Differs for every text, and is much quicker to hash. */
  readonly version?: string;
}

export async function jsonResponse(
  request: Request,
  value: object | JsonText,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const init = { headers: new Headers({ ...headers, "content-type": "application/json" }) };
  return await textResponse(request, textOf(value), init);
}

export async function conditionalJsonResponse(
  request: Request,
  value: object | JsonText,
): Promise<Response> {
  // Weak, because the tag is the same for every encoding.
  const etag: string = await eTag(versionOf(value) ?? textOf(value), { weak: true });
  const headers = { etag, vary: "accept-encoding" };
  return ifNoneMatch(request.headers.get("if-none-match"), etag)
    ? await jsonResponse(request, value, headers)
    : new Response(null, { status: 304, headers });
}

function versionOf(value: object | JsonText): string | undefined {
  return "json" in value && "version" in value ? value.version : undefined;
}

function textOf(value: object | JsonText): string {
  return "json" in value && typeof value.json === "string" ? value.json : JSON.stringify(value);
}
