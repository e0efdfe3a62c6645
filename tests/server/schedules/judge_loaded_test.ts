import {
  assert,
  assertEquals,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { MINUTE } from "../../../lib/time_units.ts";
import { judgeSchedule } from "../../../lib/judgement/judge_schedule.ts";
import type { LoadedRuns } from "../../../lib/runs/load_runs.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { isProblemError } from "../../../server/http/problem.ts";
import { judgeLoaded, type JudgingOptions } from "../../../server/schedules/judge_loaded.ts";

const statuses = defaultStatusDictionary();

/** Judges as the workers do. */
const judgeHistory: JudgingOptions["judgeHistory"] = (history, options) => {
  const { runs: _, ...verdict } = judgeSchedule(history, options);
  return Promise.resolve(verdict);
};

/** Twenty days of runs at 06:00, up to the 20th of January. */
function dailyRuns(): LoadedRuns {
  const runs = Array.from({ length: 20 }, (_, day) => ({
    id: day,
    startTime: new Date(Date.UTC(2026, 0, 20 - day, 6)).toISOString(),
    endTime: new Date(Date.UTC(2026, 0, 20 - day, 6, 1)).toISOString(),
    status: "success",
  }));
  return { runs, stopped: "end", olderUnread: false, newerUnread: false };
}

const at = (...time: [day: number, hour: number, minute?: number]) =>
  Date.UTC(2026, 0, time[0], time[1], time[2] ?? 0);

Deno.test("judgeLoaded: a verdict is cached for a minute, for the same question", async () => {
  const loaded = dailyRuns();
  const options = { statuses, zone: "UTC", judgeHistory };
  const first = await judgeLoaded(loaded, { ...options, now: at(20, 12) });
  assertStrictEquals(
    await judgeLoaded(loaded, { ...options, now: at(20, 12) + MINUTE - 1 }),
    first,
  );
  assertNotStrictEquals(await judgeLoaded(loaded, { ...options, now: at(20, 12) + MINUTE }), first);
  const failure = { ...statuses, success: "bad" as const };
  const other = await judgeLoaded(loaded, { ...options, statuses: failure, now: at(20, 12) });
  assertEquals([first.state, other.state], ["up", "down"]);
  const plan = { ...first.schedule!.plan, zone: "Europe/Berlin" };
  const confirmed = await judgeLoaded(loaded, { ...options, plan, now: at(20, 12) });
  assertEquals(confirmed.schedule?.source, "confirmed");
});

Deno.test("judgeLoaded: due at its minute, overdue soon after its grace", async () => {
  const loaded = dailyRuns();
  const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 5 * MINUTE + 1000, since: at(1, 0) };
  const options = { statuses, zone: "UTC", plan, judgeHistory };
  const slot = at(21, 6);
  const states = [];
  for (const ms of [-1, 1, 5 * MINUTE, 6 * MINUTE]) {
    states.push((await judgeLoaded(loaded, { ...options, now: slot + ms })).state);
  }
  assertEquals(states, ["up", "late", "late", "down"]);
});

Deno.test("judgeLoaded: who asks at the same time gets the same verdict, as judgeSchedule gives it", async () => {
  const loaded = dailyRuns();
  let judgings = 0;
  const options = {
    statuses,
    zone: "UTC",
    now: at(20, 12),
    judgeHistory(...asked: Parameters<typeof judgeHistory>) {
      judgings++;
      return judgeHistory(...asked);
    },
  };
  const [first, second] = await Promise.all([1, 2].map(() => judgeLoaded(loaded, options)));
  assertStrictEquals(second, first);
  assertEquals(first, judgeSchedule(dailyRuns(), options));
  assertEquals(judgings, 1);
});

Deno.test("judgeLoaded: judging too long is an error, the next request tries", async () => {
  const loaded = dailyRuns();
  const options = { statuses, zone: "UTC", now: at(20, 12) };
  const late = () => Promise.reject(new Error("late"));
  const error = await assertRejects(() => judgeLoaded(loaded, { ...options, judgeHistory: late }));
  assert(isProblemError(error));
  assertEquals(error.problem.status, 503);
  assertEquals((await judgeLoaded(loaded, { ...options, judgeHistory })).state, "up");
});

Deno.test("judgeLoaded: is given up once nobody waits, and judged again for the next request", async () => {
  const loaded = dailyRuns();
  const asked: AbortSignal[] = [];
  const options = {
    statuses,
    zone: "UTC",
    now: at(20, 12),
    judgeHistory(...[history, judging, signal]: Parameters<typeof judgeHistory>) {
      asked.push(signal!);
      if (asked.length > 1) return judgeHistory(history, judging);
      return new Promise<never>((_, reject) => {
        signal!.addEventListener("abort", () => reject(signal!.reason));
      });
    },
  };
  const [first, second] = [new AbortController(), new AbortController()];
  const left = [first, second].map(({ signal }) => judgeLoaded(loaded, { ...options, signal }));
  const rejected = left.map((each) => assertRejects(() => each, Error, "left"));
  while (asked.length === 0) await Promise.resolve();
  first.abort(new Error("left"));
  await rejected[0];
  assertEquals(asked.map(({ aborted }) => aborted), [false]);
  second.abort(new Error("left"));
  await rejected[1];
  assertEquals(asked.map(({ aborted }) => aborted), [true]);
  const { state } = await judgeLoaded(loaded, options);
  assertEquals([state, asked.length], ["up", 2]);
  await assertRejects(() => judgeLoaded(dailyRuns(), { ...options, signal: first.signal }), Error);
});
