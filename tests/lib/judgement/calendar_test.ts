import { assertEquals } from "@std/assert";
import { judgeAt, momentsFrom, runsAt } from "./runs_at.ts";

Deno.test("judgeSchedule: a planned run on a calendar's day is neither missed nor overdue", () => {
  const zone = "Pacific/Auckland";
  const day = 86_400_000;
  // At 08:00 in Auckland it is still the day before in UTC.
  const first = Date.UTC(2026, 4, 31, 20);
  const runs = runsAt(momentsFrom(first, 20), 60_000).filter(({ id }) => id !== 9 && id !== 19);
  const plans = [{ cron: ["0 8 * * *"], zone, graceMs: 300_000, since: 0 }];
  const judged = (...calendar: string[]) =>
    judgeAt(first + 19 * day + 3_600_000, runs, { plans, calendar }).schedule!;
  assertEquals(judged().counts, { missed: 1, overdue: 1 });
  assertEquals(judged("2026-06-10", "2026-06-20").counts, { missed: 0, overdue: 0 });
  assertEquals(judged("2026-06-09", "2026-06-19").counts, { missed: 1, overdue: 1 });
  // The next run is that of the day after.
  assertEquals(judged("2026-06-21", "2026-06-22").next, judged().next! + 2 * day);
});
