import { assertEquals } from "@std/assert";
import { streaksOf } from "../../../lib/judgement/streaks.ts";
import type { StatusMeaning } from "../../../lib/runs/status.ts";

const timedWith = (...meanings: readonly StatusMeaning[]) =>
  meanings.map((meaning, id) => ({ run: { id }, time: id, ms: 1, meaning }));

Deno.test("streaksOf: the newest runs that are over are unknown until one is good or bad", () => {
  const unknown = (...meanings: readonly StatusMeaning[]) =>
    streaksOf(timedWith(...meanings), [], undefined)?.unknown;
  assertEquals(unknown("good", "unknown", "unknown"), { since: 1, count: 2 });
  assertEquals(unknown("unknown", "bad"), null);
  assertEquals(unknown("good", "pending"), { since: 1, count: 1 });
});

Deno.test("streaksOf: a run that is still going leaves the streaks as they are", () => {
  const timed = timedWith("good", "unknown", "pending");
  assertEquals(streaksOf(timed, timed.slice(2), undefined)?.unknown, { since: 1, count: 1 });
  assertEquals(streaksOf(timed.slice(0, 1), [], undefined)?.unknown, null);
});
