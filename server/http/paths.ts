/** Paths and methods of requests: their normal form, the operations, and redirects. */
import { percentDecoded } from "../../lib/format.ts";

/** Where the API of Docket's records begins. */
export const RECORDS_API = "/api/docket/v1";

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

export interface OperationPath {
  readonly name: "search" | "history" | "records";
  /** The schedule's id as written in the path of a history; empty for a search. */
  readonly scheduleId: string;
}

/** Whether scripts of other sites may use an operation: not that of Docket's own records. */
export function isForOtherSites({ name }: OperationPath): boolean {
  return name !== "records";
}

/** The operation at a path in normal form, if there is one; a slash at the end makes no difference. */
export function operationAt(pathname: string): OperationPath | null {
  const path = pathname.replace(/\/$/, "");
  if (path.startsWith(`${RECORDS_API}/`)) return { name: "records", scheduleId: "" };
  const [, search, scheduleId = ""] =
    /^\/api\/(?:(files\/v1\/filesets\/search)|content\/v1\/reportschedules\/([^/]+)\/history)$/
      .exec(path) ?? [];
  if (search) return { name: "search", scheduleId };
  return scheduleId ? { name: "history", scheduleId } : null;
}

const METHODS = new Set("GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE".split(" "));

/** A method for the log; `_OTHER`, as in OpenTelemetry, for unknown ones. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "_OTHER";
}

/** The path in untrusted text, if it leads to this site; otherwise the start page. */
export function safeRedirectPath(text: string | null): string {
  const base = "http://docket.invalid";
  const url = text?.startsWith("/") ? URL.parse(text, base) : null;
  // After a second slash or a backslash, the rest would be another host.
  if (!url || url.origin !== base || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search;
}
