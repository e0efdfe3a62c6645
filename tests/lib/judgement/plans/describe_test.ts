import { assertEquals } from "@std/assert";
import { describePlan } from "../../../../lib/mod.ts";

function words(...cron: string[]): string {
  return describePlan({ cron, zone: "UTC" }).replace(/, UTC$/, "");
}

Deno.test("describePlan: says days and times as people do", () => {
  assertEquals(words("0 6 * * *"), "daily at 06:00");
  assertEquals(words("0 8 * * *", "0 10 * * *"), "daily at 08:00 and 10:00");
  assertEquals(words("0 6 * * 1-5"), "weekdays at 06:00");
  assertEquals(words("30 11 * * 6,7"), "weekends at 11:30");
  assertEquals(words("0 8 * * 2,4"), "Tuesdays and Thursdays at 08:00");
  assertEquals(words("0 8 * * 1-4"), "Mondays to Thursdays at 08:00");
  assertEquals(words("0 9 * * 1"), "Mondays at 09:00");
  assertEquals(words("0 * * * *"), "hourly");
  assertEquals(words("20 * * * *"), "hourly at 20 minutes past");
  assertEquals(words("*/15 * * * *"), "every 15 minutes");
  assertEquals(words("*/15 8-17 * * 1-5"), "weekdays every 15 minutes from 08:00 to 17:45");
  assertEquals(words("0 */2 * * *"), "every 2 hours");
});

Deno.test("describePlan: says rules of months", () => {
  assertEquals(words("0 6 1 * *"), "on the 1st at 06:00");
  assertEquals(words("0 6 1,15 * *"), "on the 1st and 15th at 06:00");
  assertEquals(words("0 6 */2 * *"), "every 2 days from the 1st of the month at 06:00");
  assertEquals(words("0 6 */5 1,7 *"), "every 5 days from the 1st of January and July at 06:00");
  assertEquals(words("0 6 1,11,21 * *"), "on the 1st, 11th and 21st at 06:00");
  assertEquals(words("0 6 L * *"), "on the last day of the month at 06:00");
  assertEquals(words("0 6 LW * *"), "on the last business day of the month at 06:00");
  assertEquals(words("0 6 1W * *"), "on the first business day of the month at 06:00");
  assertEquals(words("0 6 * * 1#1"), "on the first Monday of the month at 06:00");
  assertEquals(words("0 6 * * 5#L"), "on the last Friday of the month at 06:00");
  assertEquals(words("0 6 1 1,4,7,10 *"), "on the 1st of each quarter at 06:00");
});

Deno.test("describePlan: says business days that several expressions mean together", () => {
  assertEquals(
    words("0 6 15 * +1-5", "0 6 16,17 * +1"),
    "on the 15th or the next weekday at 06:00",
  );
  assertEquals(
    words("0 6 25 3,6,9,12 +1-5", "0 6 23,24 3,6,9,12 +5", "0 6 LW 3,6,9,12 *"),
    "on the 25th or the last weekday before of March, June, September and December at 06:00; " +
      "on the last business day of March, June, September and December at 06:00",
  );
  assertEquals(words("0 6 5,6 * +5", "0 6 7 * +1-5"), "on the 5th business day at 06:00");
  assertEquals(words("0 6 13 * +5"), "on the 13th, only Fridays at 06:00");
});

Deno.test("describePlan: says weeks, several times and the zone", () => {
  assertEquals(
    describePlan({
      cron: ["0 10 * * 5"],
      zone: "Europe/Berlin",
      everyWeeks: { n: 2, from: "2026-01-05" },
    }),
    "every 2 weeks on Fridays at 10:00, Europe/Berlin",
  );
  assertEquals(
    words("0 8 * * 1-5", "0 10 * * 6"),
    "weekdays at 08:00; Saturdays at 10:00",
  );
});
