/** Formats and parses values the same way on the server, in the browser and in the terminal. */

/** A text with its first letter in upper case. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text with its first letter in lower case, to go on with a sentence. */
export function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A count with thousands separators, such as 5,000. */
export function formatCount(count: number): string {
  if (Math.abs(count) < 1000) return String(count);
  // Without Intl, because making its first formatter blocks a slow phone for 60 ms.
  const [whole, ...fraction] = String(count).split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...fraction].join(".");
}

export function formatCountOf(count: number, singular: string, plural: string): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

const BYTE_UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** A size in bytes, such as 1.4 MB. */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return "1 byte";
  let size = bytes;
  let unit = 0;
  while (Math.abs(size) >= 999.5 && unit < BYTE_UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  const digits = unit === 0 || size >= 99.95 ? 0 : 1;
  return `${size.toFixed(digits)} ${BYTE_UNITS[unit]}`;
}

/** A duration in milliseconds, such as 2 min 05 s, or 5 min. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const sign = ms < 0 ? "−" : "";
  if (seconds < 60) return `${sign}${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${sign}${minutes} min${restText(seconds, "s")}`;
  return `${sign}${Math.floor(minutes / 60)} h${restText(minutes, "min")}`;
}

/** A time in milliseconds since 1970, such as 2026-01-01T06:00:00Z. */
export function timeText(time: number): string {
  return new Date(time).toISOString().replace(".000Z", "Z");
}

/** A change between two numbers, such as `10 times larger` or `33 % less`. */
export function formatChange(before: number, after: number): string {
  if (before === after) return "unchanged";
  if (before <= 0) return after > 0 ? "more" : "less";
  const factor = after / before;
  if (factor >= 2) return `${formatCount(Math.round(factor * 10) / 10)} times larger`;
  const percent = Math.round((factor - 1) * 100);
  if (percent === 0) return "almost unchanged";
  return percent > 0 ? `${percent} % more` : `${-percent} % less`;
}

/** The remainder of 60 units as text; empty if it is 0. */
function restText(count: number, unit: string): string {
  return count % 60 === 0 ? "" : ` ${String(count % 60).padStart(2, "0")} ${unit}`;
}

/** Cuts a text to `max` UTF-16 code units, never within a character, and adds an ellipsis. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`;
}

/** Parses a whole number; null for any other text, and beyond 2^53 - 1. */
export function wholeNumber(text: string): number | null {
  const number = /^-?\d+$/.test(text) ? Number(text) + 0 : NaN;
  return Number.isSafeInteger(number) ? number : null;
}

/** Decodes percent-encoding; undefined if it is malformed. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
