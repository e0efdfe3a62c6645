import { assertEquals, assertRejects } from "@std/assert";
import { MINUTE } from "../../../lib/time_units.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { judgeLoaded, type JudgingOptions } from "../../../server/schedules/judge_loaded.ts";

const NOW = Date.UTC(2026, 0, 20, 12);
const FUTURE = { id: 2, startTime: "2100-01-01T00:00:00Z" };
const HISTORY = { runs: [{ id: 1 }, FUTURE], olderUnread: false, newerUnread: true };

/** Judges the same runs with these options, and notes what a worker is asked. */
function setUp() {
  const loaded = { ...HISTORY, stopped: "end" } as const;
  const questions: Parameters<JudgingOptions["judgeHistory"]>[] = [];
  const judgeHistory: JudgingOptions["judgeHistory"] = (...question) => {
    questions.push(question);
    return Promise.resolve({ state: "up" } as Verdict);
  };
  const judge = (options: Partial<JudgingOptions> = {}) =>
    judgeLoaded(loaded, { judgeHistory, statuses: {}, now: NOW, ...options });
  return { judge, questions };
}

Deno.test("judgeLoaded: a verdict is cached for a minute, for the same question", async () => {
  const { judge, questions } = setUp();
  // Who asks at the same time gets the same one.
  const [first] = await Promise.all([judge(), judge(), judge({ now: NOW + MINUTE - 1 })]);
  assertEquals(first, { state: "up", runs: [{ id: 1 }] } as unknown as Verdict);
  assertEquals(questions, [[HISTORY, { statuses: {}, now: NOW }]]);
  const others = [{ now: NOW + MINUTE }, { statuses: { sent: "good" } }, { plans: [] }] as const;
  for (const other of others) await judge(other);
  assertEquals(questions.length, 4);
});

Deno.test("judgeLoaded: judging too long is an error, the next request tries", async () => {
  const { judge } = setUp();
  const late = () => judge({ judgeHistory: () => Promise.reject(new Error("late")) });
  const { problem } = await assertRejects(late, ProblemError);
  assertEquals([problem.status, problem.retryAfterSeconds], [503, 5]);
  assertEquals((await judge()).state, "up");
});
