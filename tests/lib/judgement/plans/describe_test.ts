import { assertEquals } from "@std/assert";
import { describePlan } from "../../../../lib/mod.ts";

/** Expressions, and what is said of them. */
const WORDS: Readonly<Record<string, string>> = {
  "0 6 * * *": "daily at 06:00",
  "0 10 * * *; 0 8 * * *": "daily at 08:00 and 10:00",
  "30 11 * * 6,7": "weekends at 11:30",
  "0 9 * * 1": "Mondays at 09:00",
  "0 8 * * 1,2": "Mondays and Tuesdays at 08:00",
  "0 8 * * 1-4": "Mondays to Thursdays at 08:00",
  "0 8 * * 0,1,3": "Mondays, Wednesdays and Sundays at 08:00",
  "0 8 * * 0,5,6": "Fridays to Sundays at 08:00",
  "0 8 * * 1-5; 0 10 * * 6": "weekdays at 08:00; Saturdays at 10:00",
  "0 8-11 * * *": "daily at 08:00, 09:00, 10:00 and 11:00",
  "0 8,9,11,13,17 * * *": "daily at 5 times from 08:00 to 17:00",
  "0 * * * *": "hourly",
  "20 * * * *": "hourly at 20 minutes past",
  "0 8-12 * * *": "hourly from 08:00 to 12:00",
  "0 1-23 * * *": "hourly from 01:00 to 23:00",
  "0 */2 * * *": "every 2 hours",
  "* * * * *": "every minute",
  "*/15 * * * *": "every 15 minutes",
  "10,30,50 * * * *": "every 20 minutes from 00:10",
  "*/15 0-5 * * *": "every 15 minutes from 00:00 to 05:45",
  "*/15 8-17 * * 1-5": "weekdays every 15 minutes from 08:00 to 17:45",
  // Rules of months.
  "0 6 1,11,21 * *": "on the 1st, 11th and 21st at 06:00",
  "0 6 1-3,31 * *": "on the 1st, 2nd, 3rd and 31st at 06:00",
  "0 6 1-26/5 * *": "on the 1st, 6th, 11th, 16th, 21st and 26th at 06:00",
  "0 6 */15 * *": "on the 1st, 16th and 31st at 06:00",
  "0 6 */10 * *": "every 10 days from the 1st of the month at 06:00",
  "0 6 */5 1,7 *": "every 5 days from the 1st of January and July at 06:00",
  "0 6 1 1,4,7,10 *": "on the 1st of each quarter at 06:00",
  "0 6 * 6 *": "daily in June at 06:00",
  "0 6 * 6 1": "Mondays in June at 06:00",
  "0 6 13 * 5": "on the 13th or Fridays at 06:00",
  "0 6 13 6 +5": "on the 13th of June, only Fridays at 06:00",
  "0 6 13 * +*": "on the 13th at 06:00",
  "0 6 L * *": "on the last day of the month at 06:00",
  "0 6 * * 1#1": "on the first Monday of the month at 06:00",
  "0 6 * * 5#L": "on the last Friday of the month at 06:00",
  "0 6 1W * *": "on the first business day of the month at 06:00",
  "0 6 15W * *": "on the business day nearest to the 15th at 06:00",
  // Business days that several expressions mean together.
  "0 6 5,6 * +5; 0 6 7 * +1-5": "on the 5th business day at 06:00",
  "0 6 15 * +1-5; 0 6 16,17 * +1": "on the 15th or the next weekday at 06:00",
  "0 6 28 * +1-5; 0 6 26,27 * +5": "on the 28th or the last weekday before at 06:00",
  "0 6 25 3,6 +1-5; 0 6 23,24 3,6 +5; 0 6 LW 3,6 *":
    "on the 25th or the last weekday before of March and June at 06:00; " +
    "on the last business day of March and June at 06:00",
};

Deno.test("describePlan: says days and times as people do", () => {
  for (const [cron, words] of Object.entries(WORDS)) {
    assertEquals(describePlan({ cron: cron.split(";"), zone: "UTC" }), `${words}, UTC`);
  }
  const plan = { cron: ["0 10 * * 5"], zone: "Europe/Berlin" };
  const weeks = [2, 1].map((n) => describePlan({ ...plan, everyWeeks: { n, from: "2026-01-05" } }));
  const fridays = "Fridays at 10:00, Europe/Berlin";
  assertEquals(weeks, [`every 2 weeks on ${fridays}`, fridays]);
});

Deno.test("describePlan: says times in the reader's zone, and names the plan's where it must", () => {
  const now = Date.UTC(2026, 10, 28);
  const cases: readonly [cron: string, zone: string, reader: string, words: string][] = [
    ["0 5 * * *", "UTC", "UTC", "daily at 05:00"],
    ["0 5 * * *", "UTC", "Europe/Istanbul", "daily at 08:00"],
    ["0 6 * * 1-5", "Europe/Berlin", "Europe/Paris", "weekdays at 06:00"],
    ["0 6 * * 1-5", "Europe/Berlin", "UTC", "weekdays at 05:00 (planned in Europe/Berlin)"],
    ["0 22 * * *", "UTC", "Asia/Tokyo", "daily at 07:00"],
    // 07:00 in Tokyo is on Tuesdays to Saturdays.
    ["0 22 * * 1-5", "UTC", "Asia/Tokyo", "weekdays at 22:00, UTC"],
    ["0 9 * * 1-5", "Asia/Tokyo", "UTC", "weekdays at 00:00"],
    ["0 7 * * 1-5", "Asia/Tokyo", "UTC", "weekdays at 07:00, Asia/Tokyo"],
    ["*/15 * * * *", "UTC", "Asia/Kolkata", "every 15 minutes"],
    ["0 7-18 * * *", "UTC", "Asia/Kolkata", "hourly from 12:30 to 23:30"],
  ];
  for (const [cron, zone, reader, words] of cases) {
    assertEquals(describePlan({ cron: [cron], zone }, { zone: reader, now }), words);
  }
});
