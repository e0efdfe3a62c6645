/** Values as text, the same on the server and in the browser. */

const counts = new Intl.NumberFormat("en");

/** A count with thousands separators, such as 5,000. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** A count with its noun in the singular or plural. */
export function formatCountOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const BYTE_UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** A size in bytes, such as 1.4 MB. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (Math.abs(size) >= 999.5 && unit < BYTE_UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  const digits = unit === 0 || size >= 99.95 ? 0 : 1;
  return `${size.toFixed(digits)} ${BYTE_UNITS[unit]}`;
}

/** A duration in milliseconds, such as 2 min 05 s. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const sign = ms < 0 ? "−" : "";
  if (seconds < 60) return `${sign}${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${sign}${minutes} min ${pad(seconds % 60)} s`;
  return `${sign}${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

const RELATIVE_UNITS = [["d", 86_400_000], ["h", 3_600_000], ["min", 60_000]] as const;

/** A moment from now in milliseconds, such as `2 h ago` or `in 5 min`. */
export function formatRelative(fromNow: number): string {
  const size = Math.abs(fromNow);
  const unit = RELATIVE_UNITS.find(([, ms]) => size >= ms);
  if (!unit) return "now";
  const text = `${formatCount(Math.floor(size / unit[1]))} ${unit[0]}`;
  return fromNow < 0 ? `${text} ago` : `in ${text}`;
}

function pad(count: number): string {
  return String(count).padStart(2, "0");
}
