/** Which answers are retried, and how long to wait before. */

/** The wait before the second attempt is at most this long, in milliseconds. */
const FIRST_BACKOFF_MS = 500;

const LONGEST_BACKOFF_MS = 20_000;

/** Whether a status is retried. Both operations only read, so repeating them is safe. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status <= 599);
}

/**
 * How many milliseconds to wait after attempt number `attempt`: what the service asked for, or else
 * exponential backoff with full jitter. `random` is at least 0 and less than 1.
 */
export function waitMs(attempt: number, random: number, retryAfterMs = 0): number {
  // With a Retry-After of 0, the jitter is still needed.
  if (retryAfterMs > 0) return Math.ceil(retryAfterMs);
  return Math.floor(random * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1)));
}

/**
 * Reads a `Retry-After` header: seconds, or one of the three date formats of HTTP. Returns
 * milliseconds, 0 for a time in the past, and undefined for anything else.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = String(value).trim();
  // One format has hyphens; one ends with the year, and means UTC without naming a zone.
  const date = text.replaceAll("-", " ").replace(/ \d{4}$/, "$& GMT");
  const ms = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : /^[a-z]+,? .+:\d\d( \d{4})? GMT$/i.test(date)
    ? Date.parse(date) - now
    : NaN;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
