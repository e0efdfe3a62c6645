/** Headers that tell browsers what an answer may do: on every answer, errors and files included. */
import { textResponse } from "./text_response.ts";

/** Nothing but what Docket itself serves; the one inline script of a page is named by its hash. */
function pagePolicy(scriptHash: string | null): string {
  return [
    "default-src 'none'",
    `script-src 'self'${scriptHash ? ` '${scriptHash}'` : ""}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const otherPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Adds the headers; pages are read once to name their inline script, and sent compressed. */
export async function withSecurityHeaders(request: Request, response: Response): Promise<Response> {
  const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  const html = isPage && response.body ? await response.text() : null;
  const { status, statusText, headers } = response;
  const answer = html === null
    ? new Response(response.body, response)
    : await textResponse(request, html, { status, statusText, headers });
  const policy = html === null ? otherPolicy : pagePolicy(await inlineScriptHash(html));
  answer.headers.set("content-security-policy", policy);
  answer.headers.set("x-content-type-options", "nosniff");
  answer.headers.set("referrer-policy", "same-origin");
  answer.headers.set("cross-origin-opener-policy", "same-origin");
  answer.headers.set("cross-origin-resource-policy", "same-origin");
  return answer;
}

/**
 * The hash of the script that carries the islands' props. Fresh puts it directly before `</head>`,
 * and what comes before that is ours, so nothing a name says can stand in its place.
 */
async function inlineScriptHash(html: string): Promise<string | null> {
  const head = html.slice(0, html.indexOf("</head>"));
  const script = /<script type="module">([^]*)<\/script>$/.exec(head)?.[1];
  if (script === undefined) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  return `sha256-${new Uint8Array(digest).toBase64()}`;
}
