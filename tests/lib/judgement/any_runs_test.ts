import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  compareRuns,
  defaultStatusDictionary,
  type Filter,
  judgeSchedule,
} from "../../../lib/mod.ts";
import { timedRuns } from "../../../lib/runs/occurrences.ts";
import { judgeHealth } from "../../../lib/runs/health.ts";
import { measureDurations } from "../../../lib/runs/durations.ts";
import { OPERATORS } from "../../../lib/fields.ts";
import { runSearchIssues } from "../../../lib/runs/run_search.ts";
import { searchRuns } from "../../../lib/runs/filter.ts";
import { trendOf } from "../../../lib/runs/trends.ts";
import { anyRun, anyRuns } from "../runs/arbitrary.ts";

const dictionary = defaultStatusDictionary();
const NOW = Date.UTC(2026, 2, 1);

/** Everything that is said of runs. */
function judgementOf(runs: Parameters<typeof judgeHealth>[0]) {
  const { schedule, newcomers } = judgeSchedule({ runs }, { now: NOW, statuses: dictionary });
  return {
    health: judgeHealth(runs, dictionary),
    plan: schedule,
    durations: measureDurations(timedRuns(runs, NOW, {}).timed),
    size: trendOf(runs, (run) => run.attachmentSize),
    newcomers,
  };
}

Deno.test("judging runs: nothing crashes, changes its input or gives a number that is none", () =>
  fc.assert(fc.property(anyRuns, (runs) => {
    const before = structuredClone(runs);
    const { health, durations, size, newcomers } = judgementOf(runs);
    assertEquals(runs, before);
    assertEquals(Object.values(health.counts).reduce((sum, count) => sum + count), runs.length);
    const numbers = [health.successRate, durations.p50, durations.p95, size?.first, size?.last]
      .filter((number) => number !== null && number !== undefined);
    assert(numbers.every(Number.isFinite), String(numbers));
    assert(newcomers.every(({ domain }) => domain !== ""));
  })));

Deno.test("compareRuns: a run does not differ from itself, and both ways mirror each other", () =>
  fc.assert(fc.property(anyRun, anyRun, (a, b) => {
    const same = compareRuns(a, a);
    assertEquals([same.changes, same.added ?? [], same.dropped ?? []], [[], [], []]);
    const there = compareRuns(a, b);
    const back = compareRuns(b, a);
    assertEquals(there.added, back.dropped);
    assertEquals(there.kept, back.kept);
    assertEquals(there.changes.length, back.changes.length);
  })));

const anyCondition: fc.Arbitrary<Filter> = fc.record({
  field: fc.constantFrom("cardCount", "duration", "recipient", "status", "text", "attachmentSize"),
  not: fc.boolean(),
  value: fc.array(fc.nat(9999).map(String), { minLength: 1, maxLength: 3 }),
}).chain(({ field, ...rest }) =>
  fc.constantFrom(...OPERATORS).map((operator) => ({ field, operator, ...rest }))
    .filter((filter) => runSearchIssues({ filters: [filter] }).length === 0)
);

Deno.test("searchRuns: keeps what every condition keeps alone, and in the order of the runs", () =>
  fc.assert(fc.property(anyRuns, fc.array(anyCondition, { maxLength: 3 }), (runs, filters) => {
    const found = searchRuns(runs, { filters });
    const expected = runs.filter((run) =>
      filters.every((filter) => searchRuns([run], { filters: [filter] }).length === 1)
    );
    assertEquals(found, expected);
  })));
