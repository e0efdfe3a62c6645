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
    // No text becomes markup or code in the browser: Docket's own scripts never need it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

const otherPolicy = "default-src 'none'; frame-ancestors 'none'";

/** What a browser could give a page and Docket has no use for; it does write to the clipboard. */
const UNUSED_FEATURES = [
  "accelerometer",
  "autoplay",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
];

const ALWAYS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  // Not less: without it, browsers name no origin when a form of ours is sent over plain HTTP.
  "referrer-policy": "same-origin",
  "permissions-policy": UNUSED_FEATURES.map((feature) => `${feature}=()`).join(", "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Adds the headers; pages are read once to name their inline script, and sent compressed. Only where
 * browsers come over TLS, as `publicOrigin` says, they are told to keep to it.
 */
export async function withSecurityHeaders(
  request: Request,
  response: Response,
  publicOrigin: string | null,
): Promise<Response> {
  const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  const html = isPage && response.body ? await response.text() : null;
  const { status, statusText, headers } = response;
  const answer = html === null
    ? new Response(response.body, response)
    : await textResponse(request, html, { status, statusText, headers });
  for (const [name, value] of Object.entries(ALWAYS)) answer.headers.set(name, value);
  const policy = isPage ? pagePolicy(html && await inlineScriptHash(html)) : otherPolicy;
  answer.headers.set("content-security-policy", policy);
  if (publicOrigin?.startsWith("https:")) {
    answer.headers.set("strict-transport-security", `max-age=${YEAR_SECONDS}`);
  }
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
