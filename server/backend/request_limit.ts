/** How many requests a token may make in a minute: the setting `RATE_LIMIT`. */
import type { Limit } from "../store/limit.ts";
import { hashOf } from "../store/tokens.ts";

/** Counts the requests of each token; nothing without a limit. */
export function requestCounter(
  perMinute: number | null,
  makeLimit: (perMinute: number) => Limit,
): (token: string) => Promise<void> {
  if (perMinute === null) return () => Promise.resolve();
  const limit = makeLimit(perMinute);
  // The counts may be kept in a database, where no token belongs.
  return (token) => limit(hashOf(token));
}
