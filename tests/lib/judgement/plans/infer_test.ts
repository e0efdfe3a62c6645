import { assert, assertEquals } from "@std/assert";
import { DAY, MINUTE } from "../../../../lib/time_units.ts";
import { defaultStatusDictionary, inferPlan, judgeSchedule } from "../../../../lib/mod.ts";
import { makeHistory } from "../histories/histories.ts";
import { planNamed, type TruePlan } from "../histories/plans.ts";
import { randomFrom } from "../histories/random.ts";
import { scoreOf } from "../histories/score.ts";
import { runsAt, slotsOf } from "../runs_at.ts";

const statuses = defaultStatusDictionary();

Deno.test("judgeSchedule: a clock change that only old runs passed shows the zone", () => {
  for (
    const [name, zone, count, end] of [
      ["every 6 hours", "Europe/Berlin", 1000, Date.UTC(2026, 7, 20)],
      ["daily 08:00 and 10:00", "Europe/Berlin", 1000, Date.UTC(2026, 8, 30)],
      ["hourly", "Australia/Lord_Howe", 1100, Date.UTC(2026, 3, 25)],
    ] as const
  ) {
    const history = makeHistory({
      plan: planNamed(name),
      zone,
      fault: "one missed",
      jitter: "seconds",
      count,
      end,
      seed: 5,
    });
    const verdict = judgeSchedule(history, { now: history.now, statuses });
    const { plan } = verdict.schedule!;
    assertEquals([plan.zone, plan.graceMs], [zone, 5 * MINUTE], name);
    assert(scoreOf(history, verdict).whole, name);
  }
});

Deno.test("inferPlan: seven runs show a new plan, even if one of eight is missing", () => {
  const starts = Array.from(
    { length: 128 },
    (_, day) => Date.UTC(2026, 0, 1 + day, day < 120 ? 6 : 14),
  ).toSpliced(124, 1);
  const runs = runsAt(starts.map((start, id) => start + id * 7919 % 90_000));
  const plan = inferPlan(runs, { now: starts.at(-1)! + DAY / 4, zone: "UTC" });
  assertEquals(plan?.cron, ["0 14 * * *"]);
});

Deno.test("judgeSchedule: a time missed each day stays in the plan", () => {
  const quarter = 15 * MINUTE;
  const from = Date.UTC(2026, 4, 16);
  const random = randomFrom(7);
  const starts = Array.from({ length: 11 * 96 }, (_, at) => from + at * quarter)
    .filter((due) => (due - from) % DAY !== 14 * quarter && random.next() < 0.6)
    .map((due) => due + random.next() * 3 * MINUTE);
  const now = from + 11 * DAY;
  const { schedule } = judgeSchedule({ runs: runsAt(starts) }, { now, statuses, zone: "UTC" });
  assertEquals(schedule?.plan.cron, ["*/15 * * * *"]);
  const missed = schedule!.missed.filter(({ at }) => (at - from) % DAY === 14 * quarter);
  assertEquals(missed.length, 11);
});

Deno.test("judgeSchedule: starts that wait for the one before have no plan, however often they come", () => {
  const random = randomFrom(11);
  let time = Date.UTC(2026, 4, 16);
  const starts = Array.from({ length: 400 }, () => time += (30 + 60 * random.next()) * MINUTE);
  const runs = runsAt(starts);
  assertEquals(judgeSchedule({ runs }, { now: time + MINUTE, statuses }).schedule, null);
});

Deno.test("judgeSchedule: frequent runs show their days by all runs", () => {
  const monday = Date.UTC(2026, 4, 31, 14);
  const slots = slotsOf(["*/15 8-17 * * 1-5"], monday, monday + 33 * DAY, "Australia/Sydney");
  // Two days are missing.
  const starts = slots.toSpliced(480, 80).map((slot) => slot + 7000);
  const now = starts.at(-1)! + MINUTE;
  const { schedule } = judgeSchedule({ runs: runsAt(starts) }, { now, statuses });
  // Berlin's nights are Sydney's days: nothing tells the two apart.
  assert(schedule?.plan.cron.every((line) => line.endsWith("* * 1-5")));
  assertEquals(schedule?.counts.missed, 80);
});

/** The verdict on runs at these moments, shortly after the last. */
function judgedAt(starts: readonly number[]) {
  const runs = runsAt(starts.map((start, id) => start + 7000 + id % 9 * 1000));
  return judgeSchedule({ runs }, { now: starts.at(-1)! + 10 * MINUTE, statuses }).schedule;
}

/** Days up to Friday, the 20th of March 2026, the last first, as moments at midnight. */
const daysBefore = (count: number) =>
  Array.from({ length: count }, (_, day) => Date.UTC(2026, 2, 20) - day * DAY).reverse();

Deno.test("judgeSchedule: a time that moved is a change, not a second time", () => {
  for (const since of [9, 30, 85, 150]) {
    const starts = daysBefore(170).map((day, at) => day + (at < 170 - since ? 6 : 8) * 60 * MINUTE);
    const schedule = judgedAt(starts);
    assertEquals([schedule?.plan.cron, schedule?.counts.missed], [["0 8 * * *"], 0], `${since}`);
  }
});

Deno.test("judgeSchedule: every second hour may be once where clocks go back, every hour is twice", () => {
  // Clocks in Berlin showed 02:00 at 00:00 and at 01:00 on the 25th of October 2026.
  const from = Date.UTC(2026, 9, 10);
  const hours = Array.from({ length: 500 }, (_, hour) => from + hour * 60 * MINUTE);
  const back = Date.UTC(2026, 9, 25, 1);
  const local = (time: number) => new Date(time + (time < back ? 120 : 60) * MINUTE);
  const missedOf = (starts: number[]) => {
    const runs = runsAt(starts.map((start) => start + 4000));
    const now = starts.at(-1)! + 10 * MINUTE;
    return judgeSchedule({ runs }, { now, statuses, zone: "Europe/Berlin" }).schedule!.missed;
  };
  const even = hours.filter((time) => local(time).getUTCHours() % 2 === 0);
  assertEquals(missedOf(even), []);
  assertEquals(missedOf(even.filter((time) => time !== back)), []);
  assertEquals(missedOf(hours.filter((time) => time !== back)).map(({ at }) => at), [back]);
});

Deno.test("judgeSchedule: runs that start always some seconds late are due on the minute before", () => {
  const starts = daysBefore(90).map((day, at) => day + 1150 * MINUTE + 21_000 + at % 13 * 1000);
  assertEquals(judgedAt(starts)?.plan.cron, ["10 19 * * *"]);
});

Deno.test("judgeSchedule: days and weeks may begin in a zone that nobody named", () => {
  const plans: readonly TruePlan[] = [
    {
      name: "Mondays and Thursdays every 2 weeks 07:00",
      minutes: [7 * 60],
      isDue: ({ weekday, week }) => (weekday === 1 || weekday === 4) && week % 2 === 0,
      days: 7,
    },
    {
      name: "the 15th and the last day 07:00",
      minutes: [7 * 60],
      isDue: ({ day, daysInMonth }) => day === 15 || day === daysInMonth,
      days: 15,
    },
    planNamed("the 1st and 15th 06:15, or the next weekday"),
  ];
  for (const plan of plans) {
    for (const options of [{}, { zone: "Europe/Berlin" }]) {
      const history = makeHistory({
        plan,
        zone: "Asia/Tokyo",
        fault: "one missed",
        jitter: "seconds",
        count: 28,
        seed: 6,
      });
      const verdict = judgeSchedule(history, { now: history.now, statuses, ...options });
      assert(scoreOf(history, verdict).whole, `${plan.name} ${verdict.schedule?.plan.cron}`);
    }
  }
});

Deno.test("judgeSchedule: weekday nights are found in zones a quarter of an hour off", () => {
  for (const zone of ["Asia/Kathmandu", "Pacific/Chatham"]) {
    const history = makeHistory({
      plan: {
        name: "hourly 22:00 to 02:00 on weekdays",
        minutes: [0, 1, 2, 22, 23].map((hour) => hour * 60),
        isDue: ({ weekday }) => weekday <= 5,
        days: 0.28,
      },
      zone,
      fault: "nothing",
      jitter: "seconds",
      count: 220,
      end: Date.UTC(2026, 2, 12),
      seed: 7,
    });
    const verdict = judgeSchedule(history, { now: history.now, statuses, zone: "UTC" });
    assertEquals([verdict.schedule?.missed, verdict.state], [[], "up"], zone);
  }
});
