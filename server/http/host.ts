/** The host and the origin that Docket is reached by. */
import { type ProblemDetails, ProblemError } from "./problem.ts";
import type { Settings } from "../config/settings.ts";

export function isLoopback(host: string): boolean {
  return /^(localhost|\[?::1\]?|127(\.\d+){3})$/.test(host);
}

/**
 * Whether a request is for a host that Docket serves. On a loopback address, that is only this machine:
 * another site could point its own name at it, and its pages would then have our origin. On other
 * addresses, Docket does not know its own names.
 */
export function isServed(
  { hostname }: URL,
  { host, publicOrigin }: { readonly host: string; readonly publicOrigin: string | null },
): boolean {
  return publicOrigin !== null || !isLoopback(host) || isLoopback(hostname);
}

export const OTHER_HOST: ProblemDetails = new ProblemError(
  421,
  "Docket serves this machine only. Open it as localhost, or set PUBLIC_ORIGIN to its public address",
).problem;

/** The origin for links in printed lines, mails and webhooks; `port` is the one listened on. */
export function shownOrigin(
  { publicOrigin, host, port: configured }: Pick<Settings, "publicOrigin" | "host" | "port">,
  port = configured,
): string {
  const name = isLoopback(host) || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return publicOrigin ?? `http://${name}:${port}`;
}
