/**
 * Recently visited schedules, in a cookie of their own: a slow page that sets it must not restore
 * preferences that were changed in the meantime.
 */
import { deleteCookie, setCookie } from "@std/http/cookie";
import { persistentCookie, readCookies } from "../http/cookies.ts";
import { readScheduleIds } from "../http/schedule_id.ts";

const COOKIE = "docket_recent";
const MAX_RECENT = 12;

/** Ids of recently visited schedules, latest first. */
export function readRecentSchedules(headers: Headers): readonly number[] {
  return readScheduleIds(readCookies(headers)[COOKIE] ?? "").slice(0, MAX_RECENT);
}

/** Forgets all visits. */
export function forgetVisits(headers: Headers): void {
  deleteCookie(headers, COOKIE, { path: "/" });
}

/** Adds a visit to the recent ones. */
export function writeVisit(
  headers: Headers,
  { scheduleId, recent, secure }: {
    readonly scheduleId: number;
    readonly recent: readonly number[];
    readonly secure: boolean;
  },
): void {
  const others = recent.filter((id) => id !== scheduleId);
  const value = [scheduleId, ...others].slice(0, MAX_RECENT).join(".");
  setCookie(headers, { name: COOKIE, value, httpOnly: true, ...persistentCookie(secure) });
}
