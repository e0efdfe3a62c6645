import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { judgeSchedule } from "../../../lib/runs/judge/judge_schedule.ts";
import { historyOf } from "../../../lib/runs/loaded.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { countSpans } from "../../lib/runs/plans/count_spans.ts";
import { judgeLoaded } from "../../../server/schedules/judge_loaded.ts";
import type { LoadedRuns } from "../../../server/schedules/run_loader.ts";

const statuses = defaultStatusDictionary();
const MINUTE = 60_000;

/** Twenty days of runs at 06:00, up to the 20th of January. */
function dailyRuns(): LoadedRuns {
  const runs = Array.from({ length: 20 }, (_, day) => ({
    id: day,
    startTime: new Date(Date.UTC(2026, 0, 20 - day, 6)).toISOString(),
    endTime: new Date(Date.UTC(2026, 0, 20 - day, 6, 1)).toISOString(),
    status: "success",
  }));
  return { runs, repeated: [], stopped: "end", older: false, newer: false };
}

const at = (...time: [day: number, hour: number, minute?: number]) =>
  Date.UTC(2026, 0, time[0], time[1], time[2] ?? 0);

Deno.test("judgeLoaded: a verdict is kept for a minute, for the same question", () => {
  const loaded = dailyRuns();
  const options = { statuses, zone: "UTC" };
  const first = judgeLoaded(loaded, { ...options, now: at(20, 12) });
  assertStrictEquals(judgeLoaded(loaded, { ...options, now: at(20, 12) + MINUTE - 1 }), first);
  assertNotStrictEquals(judgeLoaded(loaded, { ...options, now: at(20, 12) + MINUTE }), first);
  const failure = { ...statuses, success: "bad" as const };
  const other = judgeLoaded(loaded, { ...options, statuses: failure, now: at(20, 12) });
  assertEquals([first.state, other.state], ["up", "down"]);
  const plan = { ...first.schedule!.plan, zone: "Europe/Berlin" };
  const confirmed = judgeLoaded(loaded, { ...options, plan, now: at(20, 12) });
  assertEquals(confirmed.schedule?.source, "confirmed");
});

Deno.test("judgeLoaded: it changes at the very moment of a slot and of the end of its grace", () => {
  const loaded = dailyRuns();
  const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 5 * MINUTE + 1000, since: at(1, 0) };
  const stateAt = (now: number) => judgeLoaded(loaded, { statuses, zone: "UTC", plan, now }).state;
  const slot = at(21, 6);
  assertEquals(
    [-1, 0, 5 * MINUTE + 999, 5 * MINUTE + 1002].map((ms) => stateAt(slot + ms)),
    [-1, 0, 5 * MINUTE + 999, 5 * MINUTE + 1002].map((ms) =>
      judgeSchedule(historyOf(dailyRuns()), { statuses, zone: "UTC", plan, now: slot + ms }).state
    ),
  );
  assertEquals(stateAt(slot - 1), "up");
  assertEquals(stateAt(slot + 5 * MINUTE + 1002), "down");
});

Deno.test("judgeLoaded: until when a verdict holds costs little where the grace has many slots", () => {
  const plan = { cron: ["* * * * *"], zone: "UTC", graceMs: 7 * 1440 * MINUTE, since: at(20, 11) };
  const options = { statuses, zone: "UTC", plan, now: at(20, 12) };
  const { calls } = countSpans("UTC", () => judgeLoaded(dailyRuns(), options));
  assert(calls < 200, `slots were made ${calls} times`);
});
