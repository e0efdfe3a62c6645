/** Reads dates and times as spreadsheets write them. */
import { momentOf } from "../../../lib/zone_clock.ts";

export const DATE_ORDERS = ["day-first", "month-first"] as const;

export interface SheetTimeOptions {
  /** The order of dates such as 03.04.2026, which are ambiguous without it. */
  readonly dates?: typeof DATE_ORDERS[number];
  /** The zone of times that name none. Default: UTC. */
  readonly zone?: string;
}

const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/;
const SHEET =
  /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:,? +(\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AP])M)?)?$/i;

/**
 * A cell's time as ISO 8601; a text that no spreadsheet writes is returned as it is.
 *
 *     28.11.2026 05:00  →  2026-11-28T05:00:00.000Z
 *     03.04.2026        →  ambiguous, unless `dates` says the order
 */
export function readSheetTime(
  cell: string,
  { dates, zone = "UTC" }: SheetTimeOptions,
): { readonly value: string } | { readonly issue: string } {
  const local = LOCAL.exec(cell);
  const sheet = SHEET.exec(cell);
  if (!local && !sheet) return { value: cell };
  let [year, month, day, hour, minute, second] = (local?.slice(1) ?? []).map(Number);
  if (sheet) {
    const [first, other] = [Number(sheet[1]), Number(sheet[3])];
    const order = dates ??
      (first > 12 || first === other ? "day-first" : other > 12 && "month-first");
    if (!order) {
      return { issue: `${cell} is ambiguous: say whether dates are day-first or month-first` };
    }
    [day, month] = order === "day-first" ? [first, other] : [other, first];
    [year, hour, minute, second] = sheet.slice(4, 8).map(Number);
    const half = sheet[8]?.toUpperCase();
    if (half) hour = hour % 12 + (half === "P" ? 12 : 0);
  }
  const parts = [hour, minute, second].map((part) => part || 0);
  const time = Date.UTC(year, month - 1, day, ...parts as [number, number, number]);
  const date = new Date(time);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day &&
    date.getUTCHours() === parts[0] && date.getUTCMinutes() === parts[1];
  if (!isReal) return { issue: `${cell} is a date or a time that does not exist` };
  return { value: new Date(momentOf(time, zone)).toISOString() };
}
