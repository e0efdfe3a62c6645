/** Moments as text, the same on the server and in the browser. */
import { formatCount } from "../../lib/format.ts";

const RELATIVE_UNITS = [["d", 86_400_000], ["h", 3_600_000], ["min", 60_000]] as const;

/** A moment from now in milliseconds, such as `2 h ago` or `in 5 min`. */
export function formatRelative(fromNow: number): string {
  const size = Math.abs(fromNow);
  const unit = RELATIVE_UNITS.find(([, ms]) => size >= ms);
  if (!unit) return "now";
  const text = `${formatCount(Math.floor(size / unit[1]))} ${unit[0]}`;
  return fromNow < 0 ? `${text} ago` : `in ${text}`;
}
