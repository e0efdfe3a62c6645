/**
 * The arithmetic of trying again: which answers deserve it, and how long to wait. Nothing here
 * waits itself.
 *
 * @module
 */

/** The wait before the second attempt is at most this long, in milliseconds. */
const FIRST_BACKOFF_MS = 500;

/** No backoff is longer than this, in milliseconds. */
const LONGEST_BACKOFF_MS = 20_000;

/**
 * Whether an answer with this status deserves another attempt. Both operations of the interface
 * only read, the search too although it is a POST, so repeating them is always safe.
 *
 * @param status HTTP status.
 * @returns True for 408, 429 and every 5xx.
 */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status <= 599);
}

/**
 * Exponential backoff with full jitter: anything between nothing and a bound that doubles with
 * each attempt.
 *
 * @param attempt How many attempts were made, from 1.
 * @param random A number from 0 (included) to 1 (excluded).
 * @returns Milliseconds.
 */
export function backoffMs(attempt: number, random: number): number {
  // The exponent is bounded, so that the power stays a number.
  const bound = FIRST_BACKOFF_MS * 2 ** Math.min(attempt - 1, 30);
  return Math.floor(random * Math.min(LONGEST_BACKOFF_MS, bound));
}

/**
 * How long to wait before the next attempt: what the service asked for, or else the backoff.
 *
 * @param attempt How many attempts were made, from 1.
 * @param random A number from 0 (included) to 1 (excluded).
 * @param retryAfterMs What the service asked for, in milliseconds.
 * @returns Milliseconds.
 */
export function waitMs(attempt: number, random: number, retryAfterMs?: number): number {
  // "At once" from a service that has just refused is no reason to leave the jitter out.
  return retryAfterMs !== undefined && retryAfterMs > 0
    ? Math.ceil(retryAfterMs)
    : backoffMs(attempt, random);
}

/**
 * Reads a `Retry-After` header: seconds (with decimals too), or one of the three date forms of
 * HTTP.
 *
 * @param value The header's value, or null when there is none.
 * @param now Milliseconds since 1970.
 * @returns Milliseconds to wait, 0 for a moment that has passed, undefined when the value says
 * nothing usable.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) {
    const ms = Number(text) * 1000;
    return Number.isFinite(ms) ? ms : undefined;
  }
  const date = parseHttpDate(text, now);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Reads the three forms that RFC 9110 names; NaN when the text has none of them. */
function parseHttpDate(text: string, now: number): number {
  const usual = /^\w+, (\d\d)[ -](\w{3})[ -](\d\d|\d{4}) (\d\d:\d\d:\d\d) GMT$/.exec(text);
  const asctime = /^\w{3} (\w{3}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})$/.exec(text);
  // The last form names no zone and means UTC, so all three are written anew in the first one.
  const [day, month, year, time] = usual?.slice(1) ??
    (asctime ? [asctime[2], asctime[1], asctime[4], asctime[3]] : []);
  const read = (year: number) => Date.parse(`${day} ${month} ${year} ${time} GMT`);
  if (year?.length !== 2) return read(Number(year));
  // Two digits that would lie more than 50 years ahead mean the century before.
  const thisYear = new Date(now).getUTCFullYear();
  const guess = thisYear - thisYear % 100 + Number(year);
  return read(guess > thisYear + 50 ? guess - 100 : guess);
}
