import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  checkRuns,
  compareRuns,
  defaultStatusDictionary,
  durationOf,
  filterRuns,
  formatRunFilter,
  judgeHealth,
  judgeSchedule,
  measureDurations,
  newestFirst,
  outsideNewcomers,
  parseRunFilter,
  quantile,
  recipientDomains,
  recipientHistories,
  timeOf,
  trendOf,
} from "../../../lib/mod.ts";
import type { RunFilter } from "../../../lib/mod.ts";
import { anyRun, anyRuns } from "./arbitrary.ts";

const dictionary = defaultStatusDictionary();
const NOW = Date.UTC(2026, 2, 1);

/** Everything that is said of runs. */
function judgementOf(runs: Parameters<typeof judgeHealth>[0]) {
  const histories = recipientHistories(runs, dictionary);
  return {
    health: judgeHealth(runs, dictionary),
    plan: judgeSchedule({ runs }, { now: NOW, statuses: dictionary }).schedule,
    durations: measureDurations(runs),
    size: trendOf(runs, (run) => run.attachmentSize),
    histories,
    domains: recipientDomains(histories),
    newcomers: outsideNewcomers(runs, histories),
    findings: checkRuns(runs, { dictionary, now: NOW }),
  };
}

Deno.test("newestFirst: every run once, in time, those without a start last", () =>
  fc.assert(fc.property(anyRuns, (runs) => {
    const ordered = newestFirst(runs);
    assertEquals(new Set(ordered), new Set(runs));
    assertEquals(ordered.length, runs.length);
    const times = ordered.map(({ startTime }) => timeOf(startTime) ?? -Infinity);
    assertEquals(times, times.toSorted((a, b) => b - a));
  })));

Deno.test("judging runs: nothing crashes, changes its input or gives a number that is none", () =>
  fc.assert(fc.property(anyRuns, (runs) => {
    const before = structuredClone(runs);
    const { health, durations, size, domains } = judgementOf(runs);
    assertEquals(runs, before);
    assertEquals(health.counts.good + health.counts.bad + health.counts.neutral, runs.length);
    const numbers = [health.successRate, durations.p50, durations.p95, size?.first, size?.last]
      .filter((number) => number !== null && number !== undefined);
    assert(numbers.every(Number.isFinite), String(numbers));
    assert(domains.every(({ domain, recipients }) => domain !== "" && recipients > 0));
  })));

Deno.test("judging runs: the order in which runs came does not matter", () =>
  fc.assert(
    fc.property(
      fc.uniqueArray(anyRun, { maxLength: 60, selector: ({ id }) => id }),
      fc.infiniteStream(fc.nat()),
      (runs, numbers) => {
        const keys = new Map(runs.map((run) => [run, numbers.next().value]));
        const shuffled = runs.toSorted((a, b) => keys.get(a)! - keys.get(b)!);
        const strip = ({ findings, ...rest }: ReturnType<typeof judgementOf>) => ({
          ...rest,
          findings: findings.map(({ kind, run }) => `${run.id} ${kind}`).sort(),
        });
        assertEquals(strip(judgementOf(shuffled)), strip(judgementOf(runs)));
      },
    ),
  ));

Deno.test("judgeHealth: a status that the dictionary does not know is never a success", () =>
  fc.assert(fc.property(anyRuns, (runs) => {
    const unknown = runs.map((run) => ({ ...run, status: "paused" }));
    const { successRate, lastGood, streak, counts } = judgeHealth(unknown, dictionary);
    assertEquals([successRate, lastGood, streak, counts.neutral], [null, null, null, runs.length]);
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

Deno.test("quantile: lies among the numbers, and grows with its part", () =>
  fc.assert(fc.property(
    fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    (values, one, other) => {
      const small = values.map((value) => value / 1e10);
      const low = quantile(small, Math.min(one, other))!;
      const high = quantile(small, Math.max(one, other))!;
      assert(low <= high && low >= Math.min(...small) && high <= Math.max(...small));
    },
  )));

const anyFilter: fc.Arbitrary<RunFilter> = fc.record({
  status: fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
  trigger: fc.constantFrom("automated", "manual"),
  from: fc.constantFrom("2026-01-31", "2024-02-29"),
  through: fc.constantFrom("2026-02-01", "2026-12-31"),
  minSeconds: fc.nat(9999),
  maxSeconds: fc.nat(9999),
  attachments: fc.constantFrom("with", "without"),
  recipient: fc.nat(),
  text: fc.string().map((text) => text.trim()).filter((text) => text !== ""),
}, { requiredKeys: [] });

Deno.test("formatRunFilter: what is written is read back", () =>
  fc.assert(fc.property(anyFilter, (filter) => {
    const written = String(formatRunFilter(filter));
    assertEquals(parseRunFilter(new URLSearchParams(written)), filter);
  })));

Deno.test("filterRuns: keeps order, and each condition alone keeps no less than all together", () =>
  fc.assert(fc.property(anyRuns, anyFilter, (runs, filter) => {
    const found = filterRuns(runs, filter);
    const places = found.map((run) => runs.indexOf(run));
    assert(found.every((run) => runs.includes(run)));
    assertEquals(places, places.toSorted((a, b) => a - b));
    for (const [name, value] of Object.entries(filter)) {
      const alone = new Set(filterRuns(runs, { [name]: value }));
      assert(found.every((run) => alone.has(run)), name);
    }
    if (filter.minSeconds !== undefined) {
      assert(found.every((run) => (durationOf(run) ?? -1) >= filter.minSeconds! * 1000));
    }
  })));
