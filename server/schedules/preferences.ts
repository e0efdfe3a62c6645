/** Preferences, in a plain cookie, so that the server can render pages with them. */
import { setCookie } from "@std/http/cookie";
import { isZone } from "../config/setting_values.ts";
import { persistentCookie, readCookies } from "../http/cookies.ts";

const THEMES = ["system", "light", "dark"] as const;
const DENSITIES = ["comfortable", "compact"] as const;

export interface Preferences {
  readonly zone: string;
  readonly theme: typeof THEMES[number];
  readonly density: typeof DENSITIES[number];
  /** Names of the columns that a table of runs shows; empty for the default ones. */
  readonly runColumns: readonly string[];
}

const DEFAULTS: Preferences = {
  zone: "UTC",
  theme: "system",
  density: "comfortable",
  runColumns: [],
};

const COOKIE = "docket_preferences";
/** Written by the sign-in page's script: the browser's zone, until a person chooses one. */
const ZONE_COOKIE = "docket_zone";
/** More columns than a table has. */
const MAX_COLUMNS = 30;

/** The preferences in a request's cookie; defaults stand in for invalid ones. */
export function readPreferences(headers: Headers): Preferences {
  const cookies = readCookies(headers);
  return parsePreferences(
    new URLSearchParams(cookies[COOKIE] ?? `zone=${cookies[ZONE_COOKIE] ?? ""}`),
  );
}

/** The preferences in a cookie or a form; those of `base` replace missing and invalid ones. */
export function parsePreferences(params: URLSearchParams, base = DEFAULTS): Preferences {
  const zone = params.get("zone")?.trim();
  return {
    zone: zone && isZone(zone) ? zone : base.zone,
    theme: THEMES.find((theme) => theme === params.get("theme")) ?? base.theme,
    density: DENSITIES.find((density) => density === params.get("density")) ?? base.density,
    runColumns: params.get("columns")?.match(/\w+/g)?.slice(0, MAX_COLUMNS) ?? base.runColumns,
  };
}

export function writePreferences(
  headers: Headers,
  preferences: Preferences,
  secure: boolean,
): void {
  const params = new URLSearchParams({
    zone: preferences.zone,
    theme: preferences.theme,
    density: preferences.density,
    columns: preferences.runColumns.join("."),
  });
  setCookie(headers, { name: COOKIE, value: String(params), ...persistentCookie(secure) });
}
