import { assert, assertEquals } from "@std/assert";
import { DAY, MINUTE, SECOND } from "../../../../lib/time_units.ts";
import { defaultStatusDictionary, judgeSchedule } from "../../../../lib/mod.ts";
import { randomFrom } from "../histories/random.ts";
import { runsAt, slotsOf } from "../runs_at.ts";

function judged(starts: readonly number[], { now, zone }: { now: number; zone?: string }) {
  const options = { now, statuses: defaultStatusDictionary(), ...(zone ? { zone } : {}) };
  return judgeSchedule({ runs: runsAt(starts) }, options).schedule;
}

Deno.test("judgeSchedule: of runs every ten minutes, older ones show that weekends are left out", () => {
  const saturday = Date.UTC(2026, 5, 20, 11);
  for (const hours of ["8-17", "9-20", "22,23"]) {
    const [zone, cron] = ["Asia/Kolkata", [`*/10 ${hours} * * 1-5`]];
    const starts = slotsOf(cron, saturday - 18 * DAY, saturday, zone);
    const schedule = judged(starts, { now: saturday + DAY, zone });
    assertEquals(schedule?.plan.cron, cron);
    assertEquals([schedule?.missed, schedule?.overdue], [[], []]);
  }
});

Deno.test("judgeSchedule: the same lateness now and then makes no second time", () => {
  const begin = Date.UTC(2026, 2, 2, 6);
  for (const share of [0.03, 0.06]) {
    const wrong = Array.from({ length: 30 }, (_, seed) => seed).filter((seed) => {
      const random = randomFrom(seed);
      const starts = Array.from({ length: 120 }, (_, day) => {
        const lateMs = random.next() < share ? 10 * MINUTE : 0;
        return begin + day * DAY + lateMs + Math.round(random.next() * 20 * SECOND);
      });
      const schedule = judged(starts, { now: starts.at(-1)! + 30 * MINUTE });
      return schedule?.plan.cron.length !== 1 || schedule.missed.length > 0;
    });
    assert(wrong.length <= 3, `${share}: ${wrong}`);
  }
});

Deno.test("judgeSchedule: few runs at another time don't lengthen the grace", () => {
  const begin = Date.UTC(2026, 2, 2, 6);
  const starts = Array.from(
    { length: 63 },
    (_, day) => begin + day * DAY + (day < 60 ? day % 10 * 6_000 : 180 * MINUTE),
  );
  const schedule = judged(starts, { now: starts[62] + MINUTE });
  assertEquals([schedule?.plan.graceMs, schedule?.late.length], [5 * MINUTE, 3]);
  const missed = judged(starts, { now: begin + 63 * DAY + 6 * MINUTE });
  assertEquals(missed?.counts, { missed: 0, overdue: 1 });
});

Deno.test("judgeSchedule: with other hours, days stay left out until a run shows otherwise", () => {
  // A Tuesday.
  const change = Date.UTC(2024, 8, 24);
  const before = slotsOf(["0 7-16 * * 1-5"], change - 9 * DAY, change);
  const after = slotsOf(["0 6-16 * * *"], change, change + 5 * DAY);
  const until = (now: number) =>
    judged([...before, ...after.filter((slot) => slot < now)], { now, zone: "UTC" })?.plan.cron;
  assertEquals(until(change + 3.9 * DAY), ["0 6-16 * * 1-5"]);
  assertEquals(until(change + 4.9 * DAY), ["0 6-16 * * *"]);
});
