/**
 * JSON answers of the interface: compressed where that is wanted, and not sent again where nothing
 * changed.
 *
 * @module
 */

import { eTag, ifNoneMatch } from "@std/http/etag";
import { acceptsEncodings } from "@std/http/negotiation";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Less than this fits into one packet anyway. */
const WORTH_COMPRESSING = 1400;

/** The quickest level: a page of 100 file sets in 0.07 ms to less than a third. */
const LEVEL = 1;

const compress = promisify(gzip);

/** Answers with a value. */
export async function jsonResponse(request: Request, value: unknown): Promise<Response> {
  return await textResponse(request, JSON.stringify(value), new Headers());
}

/** Answers with a value, or with 304 when the caller already has it. */
export async function conditionalJsonResponse(request: Request, value: unknown): Promise<Response> {
  const text = JSON.stringify(value);
  // Weak: the tag is of the value, however it is compressed.
  const etag: string = await eTag(text, { weak: true });
  const headers = new Headers({ etag, vary: "accept-encoding" });
  if (!ifNoneMatch(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  return await textResponse(request, text, headers);
}

async function textResponse(request: Request, text: string, headers: Headers): Promise<Response> {
  headers.set("content-type", "application/json");
  headers.set("vary", "accept-encoding");
  // Who says nothing would take anything, by the letter; most of them can't read it.
  const isWanted = text.length >= WORTH_COMPRESSING &&
    Boolean(request.headers.get("accept-encoding")) &&
    acceptsEncodings(request, "gzip", "identity") === "gzip";
  if (!isWanted) return new Response(text, { headers });
  headers.set("content-encoding", "gzip");
  const bytes = await compress(text, { level: LEVEL }) as Uint8Array<ArrayBuffer>;
  return new Response(bytes, { headers });
}
