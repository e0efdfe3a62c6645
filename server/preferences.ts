/** What a browser remembers for its reader: a plain cookie, so that the server renders it right. */
import { setCookie } from "@std/http/cookie";
import { cookiesOf } from "./cookies.ts";

/** What is remembered. */
export interface Preferences {
  /** Ids of the schedules visited lately, the latest first. */
  readonly recentSchedules: readonly number[];
}

const COOKIE = "docket_preferences";
const RECENT_SCHEDULES = 12;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The preferences that a request carries; what can't be used of them is left out. */
export function readPreferences(headers: Headers): Preferences {
  const params = new URLSearchParams(cookiesOf(headers)[COOKIE] ?? "");
  const recentSchedules = (params.get("recent") ?? "").split(".")
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
    .slice(0, RECENT_SCHEDULES);
  return { recentSchedules: [...new Set(recentSchedules)] };
}

/** Has the browser remember preferences. */
export function writePreferences(
  headers: Headers,
  preferences: Preferences,
  secure: boolean,
): void {
  const params = new URLSearchParams({ recent: preferences.recentSchedules.join(".") });
  setCookie(headers, {
    name: COOKIE,
    value: String(params),
    path: "/",
    sameSite: "Lax",
    secure,
    maxAge: YEAR_SECONDS,
  });
}

/** The preferences after a visit to a schedule. */
export function afterVisit(preferences: Preferences, scheduleId: number): Preferences {
  const others = preferences.recentSchedules.filter((id) => id !== scheduleId);
  return {
    ...preferences,
    recentSchedules: [scheduleId, ...others].slice(0, RECENT_SCHEDULES),
  };
}
