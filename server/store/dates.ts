/** Reads date-times strictly: a zone is required, and the date must exist. */

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?$/i;

export type ReadDateTime =
  | { readonly ms: number; readonly issue?: undefined }
  | { readonly ms?: undefined; readonly issue: string };

/** Reads an ISO 8601 date-time. Digits finer than a millisecond are cut. */
export function readDateTime(text: string): ReadDateTime {
  const match = DATE_TIME.exec(text);
  if (!match) {
    return { issue: "must be a date-time with a zone, like 2026-01-31T08:00:00Z" };
  }
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number);
  const second = Number(match[6] ?? 0);
  const zone = match[8]?.toUpperCase();
  if (zone === undefined) {
    return { issue: "needs a zone: Z, or an offset like +02:00" };
  }
  const ms = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const moment = new Date(0);
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  moment.setUTCFullYear(year, month - 1, day);
  const exists = moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
  if (!exists) return { issue: "is a date that does not exist" };
  if (hour > 23 || minute > 59 || second > 59) return { issue: "is a time that does not exist" };
  const offset = offsetMinutes(zone);
  if (offset === undefined) return { issue: "has an offset that does not exist" };
  moment.setUTCHours(hour, minute - offset, second, ms);
  return { ms: moment.getTime() };
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone[0] === "-" ? -1 : 1) * (hours * 60 + minutes);
}
