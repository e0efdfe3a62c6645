import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { cachedIn } from "../../lib/cached.ts";
import { clockFormat } from "../../lib/zone_clock.ts";

/** The zone that components show times in. An island has to provide it again. */
export const Zone = createContext("UTC");

/** When the page is shown, in milliseconds since 1970: times are told from it. */
export const Now = createContext(0);

/** When the page is shown, and in which zone. */
export function useMoment(): { readonly now: number; readonly zone: string } {
  return { now: useContext(Now), zone: useContext(Zone) };
}

/** Zones come with requests, in any spelling, so the cache is bounded. */
const MAX_FORMATS = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The formatter of a zone. Formatters are slow to create, so they are cached. */
function formatOf(zone: string): Intl.DateTimeFormat {
  return cachedIn(formats, MAX_FORMATS, zone, clockFormat);
}

/** A date-time, or milliseconds since 1970, in a zone and to the minute; other texts unchanged. */
export function formatMoment(at: string | number, zone: string): string {
  const text = typeof at === "string" ? at : new Date(at).toISOString();
  const time = Date.parse(text);
  if (Number.isNaN(time)) return text;
  if (zone === "UTC") return new Date(time).toISOString().slice(0, 16).replace("T", " ");
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(time)) parts[type] = value;
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}`;
}

/** A short name for a zone, such as `New York time` or `UTC`. */
export function formatZone(zone: string): string {
  return zone === "UTC" ? "UTC" : `${zone.split("/").at(-1)?.replaceAll("_", " ")} time`;
}
