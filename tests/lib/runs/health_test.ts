import { assertEquals } from "@std/assert";
import { judgeHealth } from "../../../lib/runs/health.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { runAt } from "../judgement/runs_at.ts";

/** Runs with these outcomes, oldest first: good, bad or unknown. Their ids count from 0. */
function healthOf(outcomes: string) {
  const statuses: Record<string, string> = { g: "success", b: "failure", n: "paused" };
  return judgeHealth(
    [...outcomes].map((outcome, id) => runAt(id, id * 60_000, { status: statuses[outcome] })),
    defaultStatusDictionary(),
  );
}

Deno.test("judgeHealth: the streak that holds, and the longest failing one, the newest of several", () => {
  const cases: readonly [outcomes: string, streak: string | null, longestBad?: string][] = [
    ["gbbnb", "3 bad from run 1 to 4", "3 from run 1"],
    // It may have started earlier.
    ["nbb", "2 bad from run 1 to 2, or before", "2 from run 1"],
    ["nn", null],
    // An unknown status ends a streak of good runs, and none of bad ones.
    ["gggngg", "2 good from run 4 to 5"],
    ["gbnnb", "2 bad from run 1 to 4", "2 from run 1"],
    ["bbgbbgb", "1 bad from run 6 to 6", "2 from run 3"],
  ];
  for (const [outcomes, expected, longest] of cases) {
    const { streak, longestBad } = healthOf(outcomes);
    const text = streak && `${streak.count} ${streak.meaning} from run ${streak.first.id} to ` +
        `${streak.last.id}${streak.reachesBack ? ", or before" : ""}`;
    assertEquals(text, expected, outcomes);
    const bad = longestBad ? `${longestBad.count} from run ${longestBad.first.id}` : undefined;
    assertEquals(bad, longest, outcomes);
  }
  const { latest, lastGood } = healthOf("gbbnb");
  assertEquals([latest?.id, lastGood?.id], [4, 0]);
});

Deno.test("judgeHealth: the share of good runs, without those that are neither", () => {
  const { count, counts, successRate } = healthOf("gnbgg");
  assertEquals([count, successRate], [5, 0.75]);
  assertEquals(counts, { good: 3, bad: 1, pending: 0, unknown: 1 });
  assertEquals([healthOf("nn").successRate, healthOf("").latest], [null, null]);
  // Nobody knows the result of what has ended and is said to go on.
  const going = [{ id: 1, status: "running" }, { id: 2, status: "running", endTime: "2026-01-01" }];
  const known = judgeHealth(going, defaultStatusDictionary()).counts;
  assertEquals([known.pending, known.unknown], [1, 1]);
});
