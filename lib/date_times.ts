/** Reads date-times strictly: a zone is required, and the date must exist. */

const DATE_TIME =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|([+-])([01]\d|2[0-3]):([0-5]\d))?$/i;

type DateTimeResult =
  | { readonly ms: number; readonly issue?: undefined }
  | { readonly ms?: undefined; readonly issue: string };

/** Reads an ISO 8601 date-time. Digits finer than a millisecond are cut. */
export function readDateTime(text: string): DateTimeResult {
  const match = DATE_TIME.exec(text);
  if (!match) {
    return { issue: "must be a date-time with a zone, like 2026-01-31T08:00:00Z" };
  }
  const [, minute, second = "00", fraction = "", zone, sign, hours = "0", minutes = "0"] = match;
  if (zone === undefined) return { issue: "needs a zone: Z, or an offset like +02:00" };
  const utc = `${minute.toUpperCase()}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
  const ms = Date.parse(utc);
  // Date reads 30 February as 2 March.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== utc) {
    return { issue: "is a date or a time that does not exist" };
  }
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return { ms: sign === "-" ? ms + offset : ms - offset };
}
