import { assert, assertEquals } from "@std/assert";
import { MINUTE } from "../../../../lib/time_units.ts";
import { inferPlan } from "../../../../lib/mod.ts";
import { isPlanFor } from "../../../../lib/judgement/plans/best_fit.ts";
import { periodsOf } from "../../../../lib/judgement/plans/fit.ts";
import { partOf, startsOf } from "../../../../lib/judgement/plans/starts.ts";
import { randomFrom } from "../histories/random.ts";
import { runsAt } from "../runs_at.ts";

/** Minutes after the first run. */
const HISTORIES = {
  "twice a day with half missing, then daily, then at any time": [
    [0, 1439, 1560, 3000, 4440, 7200, 7320, 10200, 12960, 13080, 15840, 17400, 18720, 20280],
    [21720, 24600, 26040, 27480, 28920, 30360, 31800, 33240, 34680, 36120, 37560, 39000, 40440],
    [45859, 47263, 50237, 54439, 55986, 60319],
  ],
  "daily within three hours, then at any time": [
    [0, 1440, 2874, 4404, 5821, 7324, 8624, 10167, 11654, 12992, 14481, 15949, 17328],
    [18054, 18858, 19251, 19445, 20279, 20346, 20778, 21766, 21918, 21969],
  ],
};

Deno.test("periodsOf: a plan for all runs is no plan of a period whose runs don't show it", () => {
  for (const [what, minutes] of Object.entries(HISTORIES)) {
    const begin = Date.UTC(2025, 0, 1, 3, 15, 30);
    const times = Float64Array.from(minutes.flat(), (minute) => begin + minute * MINUTE);
    const starts = startsOf(times);
    for (const { from, to, fit } of periodsOf(times, undefined)) {
      const shown = fit === null || isPlanFor(fit, partOf(starts, from, to));
      assert(shown, `${what}: ${fit?.candidate.cron.join("; ")} for ${from} to ${to}`);
    }
  }
});

Deno.test("inferPlan: days that miss every second run are no daily plan, those that miss fewer or any are", () => {
  const cronOf = (isDue: (day: number) => boolean) => {
    const starts = Array.from({ length: 90 }, (_, day) => day).filter(isDue)
      .map((day, id) => Date.UTC(2025, 0, 1 + day, 6, 0, id * 7 % 20));
    return inferPlan(runsAt(starts), { now: Date.UTC(2025, 2, 31, 12) })?.cron.join();
  };
  const random = randomFrom(3);
  assertEquals(cronOf((day) => day % 2 === 0), undefined);
  assertEquals(cronOf((day) => day % 3 === 0), "0 6 */3 * *");
  assertEquals(cronOf((day) => day % 3 > 0), "0 6 * * *");
  assertEquals(cronOf(() => random.next() < 0.4), "0 6 * * *");
});
