import { assert, assertEquals } from "@std/assert";
import { DAY, MINUTE } from "../../../../lib/time_units.ts";
import { inferPlan } from "../../../../lib/mod.ts";
import { runsAt } from "../runs_at.ts";
import { randomFrom } from "../histories/random.ts";

const FIRST = Date.UTC(2026, 0, 1, 6);

/** The grace, in minutes, inferred from daily runs that start this many minutes after 06:00. */
function graceFor(late: readonly number[]): number {
  const starts = late.map((ms, day) => FIRST + day * DAY + ms * MINUTE);
  return inferPlan(runsAt(starts), { now: starts.at(-1)! + MINUTE })!.graceMs / MINUTE;
}

Deno.test("inferPlan: the grace is at least five minutes, in whole minutes", () => {
  assertEquals(graceFor(Array(30).fill(0.1)), 5);
  assertEquals(graceFor(Array(300).fill(0.1)), 5);
});

Deno.test("inferPlan: of many runs, the grace is what one in a hundred exceeds", () => {
  const late = Array.from(
    { length: 200 },
    (_, run) => run === 60 || run === 70 ? 300 : run * 7 % 20,
  );
  assertEquals(graceFor(late), 19);
  // A third one is no exception any more.
  assertEquals(graceFor(late.with(80, 205)), 205);
});

Deno.test("inferPlan: one late run of few does not lengthen the grace", () => {
  const late = Array.from({ length: 20 }, (_, run) => run % 4);
  const usual = graceFor(late);
  assert(usual >= 5 && usual <= 12, String(usual));
  assertEquals(graceFor(late.with(9, 600)), graceFor(late.with(9, 60)));
});

Deno.test("inferPlan: of exponential lateness, about one run in a hundred exceeds the grace", () => {
  const random = randomFrom(5);
  const lateBy = () => -10 * Math.log(1 - random.next());
  let [later, all] = [0, 0];
  for (let history = 0; history < 60; history++) {
    const grace = graceFor(Array.from({ length: 40 }, lateBy));
    for (let run = 0; run < 100; run++) later += +(lateBy() > grace);
    all += 100;
  }
  assert(later > 0 && later / all < 0.03, `${later} of ${all}`);
});
