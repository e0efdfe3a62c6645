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
  return date === undefined ? undefined : Math.max(0, date - now);
}

const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** The three forms that RFC 9110 names; each ends in the groups day, month, year, time. */
function parseHttpDate(text: string, now: number): number | undefined {
  const usual = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
  const rfc850 = /^[A-Z][a-z]+day, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
  const asctime = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;
  let match = usual.exec(text);
  if (match) return utc(match[3], match[2], match[1], match.slice(4, 7));
  match = rfc850.exec(text);
  if (match) {
    // Two digits that would lie more than 50 years ahead mean the century before.
    const thisYear = new Date(now).getUTCFullYear();
    let year = Math.floor(thisYear / 100) * 100 + Number(match[3]);
    if (year > thisYear + 50) year -= 100;
    return utc(String(year), match[2], match[1], match.slice(4, 7));
  }
  match = asctime.exec(text);
  // This form names no zone; it means UTC, while Date.parse would take local time.
  return match ? utc(match[6], match[1], match[2], match.slice(3, 6)) : undefined;
}

function utc(
  year: string,
  monthName: string,
  day: string,
  time: readonly string[],
): number | undefined {
  const month = MONTHS.indexOf(monthName) / 3;
  if (!Number.isInteger(month) || month < 0) return undefined;
  const [hours, minutes, seconds] = time.map(Number);
  return Date.UTC(Number(year), month, Number(day), hours, minutes, seconds);
}
