/** JSON responses: compressed if the client wants that, and not sent again if nothing changed. */
import { eTag, ifNoneMatch } from "@std/http/etag";
import { textResponse } from "./text_response.ts";

const JSON_TYPE = "application/json";

interface JsonText {
  readonly json: string;
  /** Different for every text, if known; much quicker to hash than the text. */
  readonly version?: string;
}

export async function jsonResponse(request: Request, value: object | JsonText): Promise<Response> {
  return await answer(request, value, { "content-type": JSON_TYPE });
}

export async function conditionalJsonResponse(
  request: Request,
  value: object | JsonText,
): Promise<Response> {
  const etag = await tagOf(value);
  const headers = { etag, vary: "accept-encoding", "content-type": JSON_TYPE };
  if (!ifNoneMatch(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers: { etag, vary: headers.vary } });
  }
  return await answer(request, value, headers);
}

/** Cached rows have a version, and their text never changes. */
async function answer(
  request: Request,
  value: object | JsonText,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const owner = versionOf(value) === undefined ? undefined : value;
  return await textResponse(request, textOf(value), { headers }, owner);
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
