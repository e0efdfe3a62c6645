import {
  assertEquals,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { MINUTE } from "../../../lib/time_units.ts";
import { judgeSchedule } from "../../../lib/judgement/judge_schedule.ts";
import type { LoadedRuns } from "../../../lib/runs/load_runs.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { judgeLoaded, type JudgingOptions } from "../../../server/schedules/judge_loaded.ts";

/** Judges as the workers do. */
const judgeHistory: JudgingOptions["judgeHistory"] = (history, options) => {
  const { runs: _, ...verdict } = judgeSchedule(history, options);
  return Promise.resolve(verdict);
};

const at = (day: number, hour: number) => Date.UTC(2026, 0, day, hour);
const NOW = at(20, 12);
const OPTIONS = { statuses: defaultStatusDictionary(), zone: "UTC", now: NOW, judgeHistory };

/** Twenty days of runs at 06:00, up to the 20th of January. */
function dailyRuns(): LoadedRuns {
  const runs = Array.from({ length: 20 }, (_, day) => ({
    id: day,
    startTime: new Date(at(20 - day, 6)).toISOString(),
    endTime: new Date(at(20 - day, 6) + MINUTE).toISOString(),
    status: "success",
  }));
  return { runs, stopped: "end", olderUnread: false, newerUnread: false };
}

Deno.test("judgeLoaded: a verdict is cached for a minute, for the same question", async () => {
  const loaded = dailyRuns();
  let judgings = 0;
  const judge = (more: Partial<JudgingOptions & { now: number }> = {}) =>
    judgeLoaded(loaded, {
      ...OPTIONS,
      judgeHistory: (...asked) => (judgings++, judgeHistory(...asked)),
      ...more,
    });
  // Who asks at the same time gets the same one, as judgeSchedule gives it.
  const [first, second] = await Promise.all([judge(), judge()]);
  assertStrictEquals(second, first);
  assertEquals(first, judgeSchedule(dailyRuns(), OPTIONS));
  assertStrictEquals(await judge({ now: NOW + MINUTE - 1 }), first);
  assertEquals(judgings, 1);
  assertNotStrictEquals(await judge({ now: NOW + MINUTE }), first);
  const other = await judge({ statuses: { ...OPTIONS.statuses, success: "bad" } });
  assertEquals([first.state, other.state], ["up", "down"]);
  const confirmed = await judge({ plans: [{ ...first.schedule!.plan, zone: "Europe/Berlin" }] });
  assertEquals(confirmed.schedule?.source, "confirmed");
});

Deno.test("judgeLoaded: judging too long is an error, the next request tries", async () => {
  const loaded = dailyRuns();
  const late = () => Promise.reject(new Error("late"));
  const judge = () => judgeLoaded(loaded, { ...OPTIONS, judgeHistory: late });
  const { problem } = await assertRejects(judge, ProblemError);
  assertEquals([problem.status, problem.retryAfterSeconds], [503, 5]);
  assertEquals((await judgeLoaded(loaded, OPTIONS)).state, "up");
});
