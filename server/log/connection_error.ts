/** Why a connection to a service failed. */
import { safeUpstreamText } from "../http/upstream_text.ts";

/**
 * What the platform says of a connection that failed, such as that it was refused, that the name is
 * unknown or which certificate was not accepted: fetch itself says only that it failed. The address
 * stays out, for its query is of the request. Undefined where nothing is said.
 */
export function connectionErrorReason(error: unknown): string | undefined {
  let said: string | undefined;
  for (let at = error; at instanceof Error; at = at.cause) said = at.message;
  const words = said?.match(/client error \(\w+\): (.+)/s)?.[1] ??
    said?.match(/^error reading a body from connection.*|^[A-Z][a-z ]+ \(os error \d+\)$/)?.[0];
  return words && safeUpstreamText(words);
}
