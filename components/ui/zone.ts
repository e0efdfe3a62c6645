import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** The zone that components show times in. An island has to provide it again. */
export const Zone = createContext("UTC");

/** When the page is shown, in milliseconds since 1970: `3 h ago` is counted from it. */
export const Now = createContext(0);

/** When the page is shown, and in which zone. */
export function useMoment(): { readonly now: number; readonly zone: string } {
  return { now: useContext(Now), zone: useContext(Zone) };
}

/** A short name for a zone, such as `New York time` or `UTC`. */
export function formatZone(zone: string): string {
  return zone === "UTC" ? "UTC" : `${zone.split("/").at(-1)?.replaceAll("_", " ")} time`;
}
