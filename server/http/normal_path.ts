/** Paths as the app matches them. */
import { percentDecoded } from "../../lib/format.ts";

const NO_ROUTE = "/nowhere";

/**
 * The path in its normal form, where letters, digits and `-._~` are not percent-encoded (RFC 3986). A
 * path that can't be decoded, which Nitro would handle itself, and the build's manifest, which is not
 * public, become a path without a route.
 */
export function normalPath(pathname: string): string {
  if (!pathname.includes("%") && !pathname.startsWith("/.vite/")) return pathname;
  if (percentDecoded(pathname)?.startsWith("/.vite/") ?? true) {
    return pathname.startsWith("/api/") ? `/api${NO_ROUTE}` : NO_ROUTE;
  }
  return pathname.replace(
    /%(2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi,
    (encoded) => decodeURIComponent(encoded),
  );
}
