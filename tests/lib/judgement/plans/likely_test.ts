import { assertEquals } from "@std/assert";
import { DAY, MINUTE, SECOND } from "../../../../lib/time_units.ts";
import { inferPlan, type Plan } from "../../../../lib/mod.ts";
import { planPeriods } from "../../../../lib/judgement/plans/best_plan.ts";
import { type Random, randomFrom } from "../histories/random.ts";
import { runsAt, slotsOf } from "../runs_at.ts";

const NOW = Date.UTC(2026, 6, 11, 23);

/** The times of some expressions in UTC up to now. */
function slotsFor(cron: readonly string[], days: number, until = NOW): number[] {
  return slotsOf(cron, until - days * DAY, until);
}

/** Some seconds after each time. */
function soonAfter(slots: readonly number[], random: Random): number[] {
  return slots.map((slot) => slot + random.between(0, 20) * SECOND);
}

function inferred(starts: readonly number[]): Plan | null {
  return inferPlan(runsAt(starts), { now: starts.at(-1)! + MINUTE });
}

Deno.test("inferPlan: runs within two hours have a plan although many are missed", () => {
  for (const cron of ["40 6 * * *", "40 6 * * 1-5", "40 6 * * 0", "40 6 1,15 * *"]) {
    const random = randomFrom(5);
    const starts = slotsFor([cron], 700).filter(() => random.next() > 0.3)
      .map((slot) => slot + random.next() * 120 * MINUTE);
    // The minute can be known only so well.
    const hours = (expression: string) => expression.replace(/^4\d /, "");
    assertEquals(inferred(starts)?.cron.map(hours), [hours(cron)]);
  }
});

Deno.test("inferPlan: a time at the edge of hours stays due when mostly missed", () => {
  const random = randomFrom(3);
  const first = (slot: number) => slot % DAY === 6 * 60 * MINUTE;
  const slots = slotsFor(["*/10 6-19 * * *"], 5);
  const isMet = (slot: number) => first(slot) ? slot === slots.find(first) : random.next() > 0.3;
  assertEquals(inferred(soonAfter(slots.filter(isMet), random))?.cron, ["*/10 6-19 * * *"]);
});

Deno.test("inferPlan: a few runs get the plan without misses", () => {
  const days = slotsFor(["0 6 1,11,21 * *"], 82, Date.UTC(2026, 1, 15));
  assertEquals(inferred(soonAfter(days, randomFrom(5)))?.cron, ["0 6 1,11,21 * *"]);
});

Deno.test("planPeriods: times that moved are another plan, not runs that are all late", () => {
  const moves = [
    [["55 8 * * 1-5", "55 16 * * 1-5"], ["40 5 * * 1-5", "11 15 * * 1-5"], 180],
    [["5 8 * * 1-5", "0 15 * * 1-5"], ["40 11 * * 1-5", "20 16 * * 1-5"], 120],
    [["5 0 1W * *"], ["30 0 1W * *"], 460],
    [["0 7 1,16 * *"], ["10 5 10,25 * *"], 460],
  ] as const;
  for (const [before, after, days] of moves) {
    const change = NOW - days * DAY;
    const starts = soonAfter(
      [...slotsFor(before, days, change), ...slotsFor(after, days)],
      randomFrom(5),
    );
    const crons = planPeriods(Float64Array.from(starts), "UTC")
      .map(({ fit }) => fit?.candidate.cron);
    assertEquals(crons, [before, after]);
  }
});
