import { assertEquals } from "@std/assert";
import { formatLoaded, formatPercent } from "../../../components/runs/format.ts";
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
