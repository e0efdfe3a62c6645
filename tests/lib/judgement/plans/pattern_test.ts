import { assert, assertEquals } from "@std/assert";
import { mayBePlanned } from "../../../../lib/judgement/plans/pattern.ts";
import { makeHistory } from "../histories/histories.ts";
import { PLANS } from "../histories/plans.ts";
import { randomFrom } from "../histories/random.ts";

const HOUR = 3_600_000;

Deno.test("mayBePlanned: each plan of which a third is missing, with some minutes of lateness", () => {
  const missed = PLANS.filter(({ days }) => days < 7).filter((plan) => {
    const { runs } = makeHistory({
      plan,
      zone: "Europe/Berlin",
      fault: "40 % missed",
      jitter: "2 minutes",
      count: 120,
      seed: 4,
    });
    return !mayBePlanned(Float64Array.from(runs, ({ startTime }) => Date.parse(startTime!)).sort());
  });
  assertEquals(missed.map(({ name }) => name), []);
});

Deno.test("mayBePlanned: runs at any time mostly show no pattern, nor do bursts", () => {
  const random = randomFrom(8);
  for (
    const gap of [
      () => -Math.log(1 - random.next()) * 5 * HOUR,
      () => random.next() < 0.7 ? random.next() * HOUR / 6 : random.next() * 24 * HOUR,
    ]
  ) {
    const parts = Array.from({ length: 40 }, () => {
      let at = Date.UTC(2026, 0, 1);
      return Float64Array.from({ length: 150 }, () => at += gap());
    });
    const patterns = parts.filter(mayBePlanned).length;
    assert(patterns < 12, `${patterns} of ${parts.length}`);
  }
});
