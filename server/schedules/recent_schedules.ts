/**
 * The schedules that were visited lately, in a cookie of their own: a page that took long to answer
 * writes it, and must not bring back preferences that were changed meanwhile.
 */
import { setCookie } from "@std/http/cookie";
import { persistentCookie, readCookies } from "../http/cookies.ts";
import { readScheduleIds } from "../http/schedule_id.ts";

const COOKIE = "docket_recent";
const MOST = 12;

/** Ids of the schedules that a request's browser visited, the latest first. */
export function readRecentSchedules(headers: Headers): readonly number[] {
  return readScheduleIds(readCookies(headers)[COOKIE] ?? "").slice(0, MOST);
}

/** Has the browser remember a visit, beside those that it told of. */
export function writeVisit(
  headers: Headers,
  { scheduleId, recent, secure }: {
    readonly scheduleId: number;
    readonly recent: readonly number[];
    readonly secure: boolean;
  },
): void {
  const others = recent.filter((id) => id !== scheduleId);
  const value = [scheduleId, ...others].slice(0, MOST).join(".");
  setCookie(headers, { name: COOKIE, value, httpOnly: true, ...persistentCookie(secure) });
}
