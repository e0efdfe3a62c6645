/** The headers of every response: pages, files, the API, errors and a server that is stopping. */
import { withoutDirections } from "../../lib/terminal.ts";
import { addCorsHeaders } from "./cross_origin.ts";
import { isForOtherSites, operationAt } from "./paths.ts";
import { createHash } from "node:crypto";
import type { Settings } from "../config/settings.ts";
import { YEAR_SECONDS } from "./cookies.ts";
import { textResponse } from "./text_response.ts";

/** The response itself, or a copy if its headers are immutable, as those of `Response.redirect`. */
function withChangeableHeaders(response: Response): Response {
  try {
    response.headers.delete("x-content-type-options");
    return response;
  } catch {
    return new Response(response.body, response);
  }
}

/** Allows what Docket itself serves, and a page's one inline script by its hash. */
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
    // Docket's own scripts never turn text into markup or code.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

const otherPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Browser features that pages may not use. Other responses can't run scripts and don't need it. */
const PERMISSIONS = "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), " +
  "display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), hid=(), " +
  "idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), " +
  "picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), " +
  "xr-spatial-tracking=()";

const ALWAYS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  // Not stricter: over plain HTTP, browsers would then send no origin with our own forms.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

export type Site = Pick<Settings, "publicOrigin" | "hstsSubdomains">;

/**
 * Adds the common headers; a route's own Cache-Control stays. Reads a page once, to hash its inline
 * script, and compresses it. Makes browsers insist on TLS only if the public origin uses it.
 */
export async function withResponseHeaders(
  request: Request,
  original: Response,
  { site, requestId, pathname = URL.parse(request.url)?.pathname ?? "" }: {
    /** Null before the settings are known. */
    readonly site: Site | null;
    readonly requestId: string;
    /** The path in its normal form. Default: as the request has it. */
    readonly pathname?: string;
  },
): Promise<Response> {
  const response = withChangeableHeaders(original);
  const { status, statusText, headers } = response;
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  // A name from anywhere must not turn around the rest of its line.
  const html = isPage ? withoutDirections(await response.text()) : null;
  for (const [name, value] of Object.entries(ALWAYS)) headers.set(name, value);
  headers.set("x-request-id", requestId);
  // Nearly every response is for one signed-in person only.
  if (!headers.has("cache-control")) headers.set("cache-control", "private, no-store");
  if (isPage) headers.set("permissions-policy", PERMISSIONS);
  const policy = isPage ? pagePolicy(html && inlineScriptHash(html)) : otherPolicy;
  headers.set("content-security-policy", policy);
  if (site?.publicOrigin?.startsWith("https:")) {
    const subdomains = site.hstsSubdomains ? "; includeSubDomains" : "";
    headers.set("strict-transport-security", `max-age=${YEAR_SECONDS}${subdomains}`);
  }
  const operation = operationAt(pathname);
  if (operation && isForOtherSites(operation)) addCorsHeaders(headers);
  return html === null ? response : textResponse(request, html, { status, statusText, headers });
}

/** The hash of the script with the islands' props, which Fresh puts directly before `</head>`. */
function inlineScriptHash(html: string): string | null {
  const head = html.slice(0, html.indexOf("</head>"));
  const script = /<script type="module">([^]*)<\/script>$/.exec(head)?.[1];
  if (script === undefined) return null;
  return `sha256-${createHash("sha256").update(script).digest("base64")}`;
}

/** The id of a request: from a proxy if it is safe to repeat, otherwise a new one. */
export function chooseRequestId(request: Request): string {
  const sent = request.headers.get("x-request-id");
  return sent && /^[\w.-]{1,64}$/.test(sent) ? sent : crypto.randomUUID();
}
