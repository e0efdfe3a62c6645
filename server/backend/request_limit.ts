/** How many requests a token may make in a minute: the setting `RATE_LIMIT`. */
import type { CountUse } from "../store/limit.ts";
import { hashOf } from "../store/tokens.ts";

/** Counts the requests of each token; nothing without a limit. */
export function requestCounter(
  perMinute: number | null,
  countUse: CountUse,
): (token: string) => Promise<void> {
  if (perMinute === null) return () => Promise.resolve();
  // The counts may be stored in a database, where no token belongs.
  return (token) => countUse(hashOf(token), perMinute);
}
