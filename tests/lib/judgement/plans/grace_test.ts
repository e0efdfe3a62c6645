import { assert, assertEquals } from "@std/assert";
import { DAY, MINUTE } from "../../../../lib/time_units.ts";
import { graceOf } from "../../../../lib/judgement/plans/infer.ts";
import { candidatesFor } from "../../../../lib/judgement/plans/candidates.ts";
import { clockOf } from "../../../../lib/zone_clock.ts";
import { randomFrom } from "../histories/random.ts";

const FIRST = Date.UTC(2026, 0, 1, 6);

/** The grace, in minutes, of a daily plan at 06:00 whose runs start this many minutes late. */
function graceFor(late: readonly number[]): number {
  const zone = { clock: clockOf("UTC"), bits: 0 };
  const onTime = Float64Array.from({ length: 30 }, (_, day) => FIRST + day * DAY);
  const plan = candidatesFor(onTime, zone).find(({ cron }) => cron.join() === "0 6 * * *")!;
  return graceOf(plan, Float64Array.from(late, (ms, day) => FIRST + day * DAY + ms * MINUTE)) /
    MINUTE;
}

Deno.test("graceOf: at least five minutes, in whole minutes", () => {
  assertEquals(graceFor(Array(30).fill(0)), 5);
  assertEquals(graceFor(Array(300).fill(0)), 5);
  assertEquals(graceFor(Array(300).fill(7.1)), 8);
});

Deno.test("graceOf: of many runs, a tenth more than what one in a hundred exceeds", () => {
  const late = Array.from(
    { length: 200 },
    (_, run): number => run === 60 ? 500 : run === 70 ? 300 : 10,
  );
  assertEquals(graceFor(late), 11);
  // A third one is no exception any more.
  assertEquals(graceFor(late.with(80, 205)), 226);
});

Deno.test("graceOf: one late run of few says nothing, unless it fits the others", () => {
  const late = Array.from({ length: 20 }, (_, run) => run % 4);
  const usual = graceFor(late);
  assert(usual >= 5 && usual <= 12, String(usual));
  assertEquals(graceFor(late.with(9, 600)), graceFor(late.with(9, 60)));
  assert(graceFor(late.with(9, 60).with(10, 60)) > graceFor(late.with(9, 60)));
});

Deno.test("graceOf: the fewer runs, the longer; and never into the next slot", () => {
  const spread = (count: number) =>
    graceFor(Array.from({ length: count }, (_, run) => run * 60 / count));
  assertEquals([4, 8, 16, 32, 64].map(spread), [341, 170, 78, 62, 64]);
  assert(graceFor([0, 900, 300, 1200]) <= 0.95 * 1440);
});

Deno.test("graceOf: about one run in a hundred exceeds it, of uniform and of exponential lateness", () => {
  const shapes = {
    uniform: (part: number) => 30 * part,
    exponential: (part: number) => -10 * Math.log(1 - part),
  };
  for (const [name, lateFor] of Object.entries(shapes)) {
    const random = randomFrom(5);
    let [later, all] = [0, 0];
    for (let history = 0; history < 60; history++) {
      const grace = graceFor(Array.from({ length: 40 }, () => lateFor(random.next())));
      for (let run = 0; run < 100; run++) later += +(lateFor(random.next()) > grace);
      all += 100;
    }
    assert(later / all < 0.02, `${name}: ${later} of ${all} later`);
    assert(name === "uniform" || later > 0, `${name}: none later`);
  }
});
