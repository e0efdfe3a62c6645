/** Why a connection to a service failed. */
import { safeUpstreamText } from "../http/upstream_text.ts";

/**
 * The platform's reason: connection refused, unknown name, invalid certificate and so on. The message
 * of fetch itself only says that it failed. The URL is left out, since its query comes from the
 * request. Undefined when there is no reason.
 */
export function connectionErrorReason(error: unknown): string | undefined {
  let message: string | undefined;
  for (let at = error; at instanceof Error; at = at.cause) message = at.message;
  const reason = message?.match(/client error \(\w+\): (.+)/s)?.[1] ??
    message?.match(/^error reading a body from connection.*|^[A-Z][a-z ]+ \(os error \d+\)$/)?.[0];
  return reason && safeUpstreamText(reason);
}
