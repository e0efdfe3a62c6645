import { assertEquals } from "@std/assert";
import { judgeHealth } from "../../../lib/runs/health.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";

/** Runs with these outcomes, oldest first: good, bad or unknown. Their ids count from 0. */
function healthOf(outcomes: string) {
  const statuses: Record<string, string> = { g: "success", b: "failure", n: "paused" };
  return judgeHealth(
    [...outcomes].map((outcome, id) => ({
      id,
      status: statuses[outcome],
      startTime: new Date(id * 60_000).toISOString(),
    })),
    defaultStatusDictionary(),
  );
}

Deno.test("judgeHealth: the streak that holds, and whether it may have started earlier", () => {
  const { streak, latest, lastGood } = healthOf("gbbnb");
  assertEquals([streak?.meaning, streak?.count, streak?.first.id, streak?.last.id], [
    "bad",
    3,
    1,
    4,
  ]);
  assertEquals([streak?.reachesBack, latest?.id, lastGood?.id], [false, 4, 0]);
  assertEquals(healthOf("nbb").streak?.reachesBack, true);
  assertEquals(healthOf("nn").streak, null);
});

Deno.test("judgeHealth: an unknown status ends a streak of good runs, and none of bad ones", () => {
  const { streak } = healthOf("gggngg");
  assertEquals([streak?.count, streak?.first.id, streak?.reachesBack], [2, 4, false]);
  assertEquals(healthOf("gbnnb").streak?.count, 2);
});

Deno.test("judgeHealth: the longest failing streak, the newest of several", () => {
  const { longestBad } = healthOf("bbgbbgb");
  assertEquals([longestBad?.count, longestBad?.first.id], [2, 3]);
  assertEquals(healthOf("ggn").longestBad, null);
});

Deno.test("judgeHealth: the share of good runs, without those that are neither", () => {
  const { count, counts, successRate } = healthOf("gnbgg");
  assertEquals([count, counts, successRate], [
    5,
    { good: 3, bad: 1, pending: 0, unknown: 1 },
    0.75,
  ]);
  assertEquals([healthOf("nn").successRate, healthOf("").latest], [null, null]);
});

Deno.test("judgeHealth: a run without a start is counted, and is nobody's latest", () => {
  const runs = [{ id: 9, status: "success" }, {
    id: 1,
    status: "failure",
    startTime: "2026-01-01T06:00:00Z",
  }];
  const { latest, lastGood, counts } = judgeHealth(runs, defaultStatusDictionary());
  assertEquals([latest?.id, lastGood, counts.good], [1, null, 1]);
});
