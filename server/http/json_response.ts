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
  // Cached rows have a version, and their text never changes.
  const owner = versionOf(value) === undefined ? undefined : value;
  return await textResponse(request, textOf(value), init, owner);
}

export async function conditionalJsonResponse(
  request: Request,
  value: object | JsonText,
): Promise<Response> {
  const etag = await tagOf(value);
  const headers = { etag, vary: "accept-encoding" };
  return ifNoneMatch(request.headers.get("if-none-match"), etag)
    ? await jsonResponse(request, value, headers)
    : new Response(null, { status: 304, headers });
}

/** The tags of cached answers, for as long as they are cached. */
const tags = new WeakMap<object, string>();

async function tagOf(value: object | JsonText): Promise<string> {
  const known = tags.get(value);
  if (known !== undefined) return known;
  // Weak, because the tag is the same for every encoding.
  const tag: string = await eTag(versionOf(value) ?? textOf(value), { weak: true });
  tags.set(value, tag);
  return tag;
}

function versionOf(value: object | JsonText): string | undefined {
  return "json" in value && "version" in value ? value.version : undefined;
}

function textOf(value: object | JsonText): string {
  return "json" in value && typeof value.json === "string" ? value.json : JSON.stringify(value);
}
