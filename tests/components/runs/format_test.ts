import { assertEquals } from "@std/assert";
import {
  formatDifference,
  formatLoaded,
  formatPercent,
  runLabel,
} from "../../../components/runs/format.ts";
import type { LoadedRuns } from "../../../lib/runs/load_runs.ts";

Deno.test("formatLoaded: says how many runs were loaded, and which may be missing", () => {
  const runs = [{ id: 2 }, { id: 1 }];
  const unread = { stopped: "enough", olderUnread: true, newerUnread: false } as const;
  const text = (loaded: Partial<LoadedRuns>) => formatLoaded({ runs, ...unread, ...loaded });
  assertEquals(text({ stopped: "end", olderUnread: false }), "Based on all 2 runs.");
  assertEquals(text({}), "Based on the latest 2 runs; there may be older ones.");
  assertEquals(
    text({ newerUnread: true, runs: [{ id: 1 }] }),
    "Based on 1 run; there may be newer and older ones.",
  );
  assertEquals(
    text({ stopped: "time" }),
    "Based on the latest 2 runs; there may be older ones. The service was too slow to load more.",
  );
  assertEquals(
    text({ stopped: "error", olderUnread: false, newerUnread: true }),
    "Based on 2 runs; there may be newer ones. The service failed before more could be loaded.",
  );
});

Deno.test("formatDifference: writes a signed percentage if that makes sense", () => {
  const words = (before: number, after: number) => formatDifference(before, after);
  assertEquals(words(50, 62), "+24 %");
  assertEquals(words(50, 38), "−24 %");
  assertEquals(words(1, 21), "+2,000 %");
  assertEquals(
    [words(1000, 1001), words(1001, 1000)],
    ["less than 1 % higher", "less than 1 % lower"],
  );
  assertEquals([words(7, 7), words(0, 7), words(0, -1)], ["unchanged", "more", "less"]);
});

Deno.test("formatPercent: only all is 100 %, and only none is 0 %", () => {
  assertEquals([0, 0.0004, 0.001, 0.5, 0.999, 0.9996, 1].map(formatPercent), [
    "0 %",
    "under 0.1 %",
    "0.1 %",
    "50.0 %",
    "99.9 %",
    "over 99.9 %",
    "100 %",
  ]);
});

Deno.test("runLabel: the start in the zone, or the id", () => {
  const run = { id: 7, startTime: "2026-01-31T05:30:00Z", status: "success" };
  assertEquals(runLabel(run, "America/New_York"), "2026-01-31 00:30");
  assertEquals(runLabel({ id: 7 }, "UTC"), "run 7");
});
