import { assertEquals } from "@std/assert";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import { dueMoments, PLANS } from "./histories/plans.ts";
import { randomFrom } from "./histories/random.ts";
import { judgeAt, runsAt, slotsOf } from "./runs_at.ts";

/** When a new schedule is reported as overdue or missed in its first two weeks, though all runs came. */
function falselyTold(cron: string, zone: string, begin: number): string[] {
  const random = randomFrom(begin / HOUR);
  const slots = slotsOf([cron], begin, begin + 14 * DAY, zone);
  const runs = slots.map((slot, id) => ({
    id,
    status: "success",
    startTime: new Date(slot + random.between(1, 90) * 1000).toISOString(),
    endTime: new Date(slot + random.between(100, 200) * 1000).toISOString(),
  }));
  const alarms: string[] = [];
  for (let now = begin; now < begin + 14 * DAY; now += 11 * HOUR) {
    const known = runs.filter(({ endTime }) => Date.parse(endTime) <= now);
    const wrong = judgeAt(now, known).reasons.find(({ code }) =>
      code === "overdue" || code === "missed"
    );
    if (wrong) alarms.push(`${cron} ${zone} ${wrong.code} at ${new Date(now).toISOString()}`);
  }
  return alarms;
}

Deno.test("judgeSchedule: a new schedule's first night or weekend is not overdue", () => {
  // The last four have a break, which the first runs seem to have missed.
  const crons = [
    ...["0 6 * * 1-5", "30 8 * * 1-5", "0 7-18 * * 1-5", "0 8,16 * * 1-5", "0 6,7,9 * * *"],
    ...["0 9-11,13-17 * * 1-5", "*/15 8-11,13-17 * * *", "*/5 6-11,13-22 * * 1-5"],
  ];
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Auckland"];
  const alarms = crons.flatMap((cron, at) =>
    falselyTold(cron, zones[at] ?? "UTC", Date.UTC(2026, 5, 1 + at * 3 % 5))
  );
  assertEquals(alarms, []);
});

Deno.test("judgeSchedule: after a change of plan, only weekdays with runs since can be overdue", () => {
  // A Monday, after twelve weeks of weekdays.
  const change = Date.UTC(2026, 2, 30);
  const judgedOn = (day: number, hours: string, isMissed = false) => {
    const starts = [
      ...slotsOf(["0 6 * * 1-5"], change - 84 * DAY, change),
      ...slotsOf([`0 ${hours} * * 1-5`], change, change + day * DAY + (isMissed ? 0 : DAY)),
    ];
    const { schedule } = judgeAt(change + day * DAY + 22 * HOUR, runsAt(starts), { zone: "UTC" });
    return schedule?.counts.overdue;
  };
  for (const hours of ["7", "8", "7-12"]) {
    const [saturday, sunday, secondFriday] = [5, 6, 11];
    assertEquals([saturday, sunday].map((day) => judgedOn(day, hours)), [0, 0], hours);
    const missed = [4, secondFriday].map((day) => judgedOn(day, hours, true));
    // In no zone it is a weekend until 10:00.
    assertEquals(missed, hours === "7-12" ? [3, 6] : [0, 1], hours);
  }
});

Deno.test("judgeSchedule: a new monthly or n-weekly schedule misses no run that came", () => {
  const wrong: string[] = [];
  for (const [at, plan] of PLANS.filter(({ days }, at) => days >= 10 && at % 2 === 0).entries()) {
    const zone = ["UTC", "Asia/Kolkata", "Europe/Berlin"][at % 3];
    const random = randomFrom(at);
    const begin = Date.UTC(2025, 0, 1 + random.between(0, 365), random.between(0, 23));
    const slots = dueMoments(plan, zone, begin, begin + 245 * DAY);
    const runs = runsAt(slots.map((slot) => slot + random.between(1, 90) * 1000));
    for (const [index, slot] of slots.entries()) {
      const { schedule } = judgeAt(slot - 1000, runs.slice(0, index), { zone });
      const { missed = 0, overdue = 0 } = schedule?.counts ?? {};
      if (missed + overdue > 0) wrong.push(`${plan.name}, ${zone}, ${new Date(slot)}`);
    }
  }
  assertEquals(wrong, []);
});

Deno.test("judgeSchedule: a new schedule misses runs between others of a weekend", () => {
  const monday = Date.UTC(2026, 5, 1);
  const missedIn = (cron: string, from: number, to: number) => {
    const slots = slotsOf([cron], monday, to + DAY);
    const runs = runsAt(slots.filter((slot) => slot < from || slot >= to));
    return judgeAt(to + DAY, runs).schedule?.counts.missed;
  };
  const saturday = monday + 5 * DAY;
  // From 10:00 to 14:00; in the evening; and all day, which it may be without runs.
  assertEquals(missedIn("*/30 * * * *", saturday + 10 * HOUR, saturday + 14 * HOUR), 8);
  assertEquals(missedIn("*/30 8-17 * * *", saturday + 10 * HOUR, saturday + 14 * HOUR), 8);
  assertEquals(missedIn("*/30 8-17 * * *", saturday + 14 * HOUR, saturday + DAY), 8);
  assertEquals(missedIn("*/30 * * * *", saturday, saturday + DAY), 0);
  assertEquals(missedIn("0 4-23 * * *", saturday + 20 * HOUR, saturday + DAY), 4);
});
