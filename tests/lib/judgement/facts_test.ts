import { assertEquals } from "@std/assert";
import { streaksOf } from "../../../lib/judgement/facts.ts";
import type { StatusMeaning } from "../../../lib/runs/status.ts";

const timedWith = (...meanings: readonly StatusMeaning[]) =>
  meanings.map((meaning, id) => ({ run: { id }, time: id, ms: 1, meaning }));

Deno.test("streaksOf: unknown until good or bad, failing until good", () => {
  const streaks = (...meanings: readonly StatusMeaning[]) => {
    const { failing, unknown, lastGood } = streaksOf(timedWith(...meanings), []);
    return [failing.map(({ time }) => time), unknown.map(({ time }) => time), lastGood];
  };
  assertEquals(streaks("good", "unknown", "unknown"), [[], [1, 2], 0]);
  assertEquals(streaks("unknown", "bad"), [[1], [], null]);
  assertEquals(streaks("good", "bad", "pending", "bad", "pending"), [[1, 3], [4], 0]);
});

Deno.test("streaksOf: a run that is still going leaves the streaks as they are", () => {
  const timed = timedWith("good", "unknown", "pending");
  assertEquals(streaksOf(timed, timed.slice(2)).unknown, timed.slice(1, 2));
});
