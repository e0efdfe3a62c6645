/** The zone that times are shown in. */
import { createContext } from "preact";

/** Provides the zone to what shows times; an island has to provide it again to its own. */
export const Zone = createContext("UTC");

/** Names of zones come in any case, and with the request. */
const MOST_FORMATS = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes dates of a zone; making one is slow, so each is kept. */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    });
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(zone, format);
  }
  return format;
}

/** A moment as date and time in a zone, to the minute; a text that is no date stays as it is. */
export function formatMoment(text: string, zone: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return text;
  // Most tables are in UTC, where no calendar has to be asked.
  if (zone === "UTC") return new Date(time).toISOString().slice(0, 16).replace("T", " ");
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(time)) parts[type] = value;
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}`;
}

/** A zone as people read it, such as `New York time` or `UTC`. */
export function zoneWords(zone: string): string {
  return zone === "UTC" ? "UTC" : `${zone.split("/").at(-1)?.replaceAll("_", " ")} time`;
}
