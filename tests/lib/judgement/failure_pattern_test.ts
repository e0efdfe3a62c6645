import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { defaultStatusDictionary, replay, type ReportRun } from "../../../lib/mod.ts";
import { createWatch, type IncidentEvent } from "../../../lib/judgement/watch.ts";
import { failurePattern } from "../../../lib/judgement/retries.ts";
import { timedRuns } from "../../../lib/runs/occurrences.ts";
import { randomFrom } from "./histories/random.ts";

const START = Date.UTC(2026, 0, 5);
const statuses = defaultStatusDictionary();

/** What happens to the run of a slot. */
type Fate = "good" | "retried" | "bad" | "by hand";

/** Runs that start a few seconds after each slot and take two minutes. */
function history(count: number, everyMs: number, fate: (slot: number) => Fate) {
  const random = randomFrom(11);
  const runs: ReportRun[] = [];
  function run(start: number, status: string, automated = true): number {
    const end = start + 2 * MINUTE;
    runs.push({
      id: runs.length + 1,
      status,
      automated,
      startTime: new Date(start).toISOString(),
      endTime: new Date(end).toISOString(),
    });
    return end;
  }
  for (let slot = 0; slot < count; slot++) {
    const start = START + slot * everyMs + random.between(0, 20_000);
    const became = fate(slot);
    const end = run(start, became === "good" ? "success" : "failure");
    if (became === "retried") run(end + random.between(2, 5) * MINUTE, "success");
    if (became === "by hand") run(end + 5 * MINUTE, "success", false);
  }
  return { runs, until: START + count * everyMs };
}

function patternAt(runs: readonly ReportRun[], now: number) {
  return failurePattern(timedRuns(runs, now, statuses).timed);
}

function countsOf(events: readonly IncidentEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code, kind } of events) {
    counts[`${kind} ${code}`] = (counts[`${kind} ${code}`] ?? 0) + 1;
  }
  return counts;
}

/** Until when a retry is waited for at the end, in minutes after the last failure began to fail. */
function waitAfter(fate: (slot: number) => Fate): number | null {
  const { runs, until } = history(40, HOUR, (slot) => slot === 39 ? "bad" : fate(slot));
  const { retryUntil } = patternAt(runs, until);
  return retryUntil === null ? null : (retryUntil - Date.parse(runs.at(-1)!.endTime!)) / MINUTE;
}

Deno.test("failurePattern: waits as long as retries took before, and not at all where none did", () => {
  // A retry ends 7 minutes after the failure at the latest: a tenth more, and a minute.
  const wait = waitAfter((slot) => slot % 10 === 5 ? "retried" : "good")!;
  assert(wait > 5 && wait <= 8.7, `${wait} minutes`);
  assertEquals(waitAfter(() => "good"), null);
  assertEquals(waitAfter((slot) => slot % 10 === 5 ? "bad" : "good"), null);
  // What people repair has to be told to them.
  assertEquals(waitAfter((slot) => slot % 10 === 5 ? "by hand" : "good"), null);
  assert(waitAfter((slot) => slot === 5 ? "retried" : "good") !== null);
  // One failure of many was repaired.
  const once = waitAfter((slot) => slot % 10 === 5 ? slot === 5 ? "retried" : "bad" : "good");
  assertEquals(once, null);
});

Deno.test("failurePattern: failures alternate if one of the last five runs succeeded between two that failed", () => {
  const sinceOf = (...fails: number[]) => {
    const { runs, until } = history(10, HOUR, (slot) => fails.includes(slot) ? "bad" : "good");
    const { alternatesSince } = patternAt(runs, until);
    return runs.findIndex(({ startTime }) => Date.parse(startTime!) === alternatesSince);
  };
  assertEquals([sinceOf(8), sinceOf(7, 8), sinceOf(4, 6)], [-1, -1, -1]);
  assertEquals([sinceOf(7, 9), sinceOf(5, 7)], [7, 5]);
});

Deno.test("failurePattern: waits for nothing where nothing fails now", () => {
  const { runs, until } = history(100, HOUR, (slot) => slot === 30 ? "retried" : "good");
  const pattern = { retryUntil: null, failedLately: false, alternatesSince: null };
  assertEquals(patternAt(runs, until), pattern);
  const sooner = patternAt(runs.slice(0, 85), until);
  assertEquals(sooner, { ...pattern, failedLately: true, alternatesSince: null });
});

Deno.test("replay: quick retries open one incident for failing now and then, not one a failure", () => {
  const random = randomFrom(5);
  const { runs, until } = history(30 * 24, HOUR, () => random.next() < 0.12 ? "retried" : "good");
  const failures = runs.filter(({ status }) => status === "failure").length;
  assert(failures > 60, `${failures} failures`);
  const { events } = replay(runs, { until });
  const counts = countsOf(events);
  assertEquals(counts["opened flaky"], 1);
  assertEquals([counts["flapping flaky"], counts["resolved flaky"]], [undefined, undefined]);
  // The first is told: nobody knows yet that a retry will follow.
  assertEquals(counts["opened failing"], 1);
});

Deno.test("createWatch: says when to judge again even if nothing runs", () => {
  const { runs } = history(40, HOUR, (slot) => slot % 10 === 5 ? "retried" : "good");
  const plan = { cron: ["0 * * * *"], zone: "UTC", graceMs: 5 * MINUTE, since: 0 };
  const watch = createWatch({ plan });
  const failed = runs.findLastIndex(({ status }) => status === "failure");
  const now = Date.parse(runs[failed].endTime!);
  const known = runs.slice(0, failed + 1);
  assertEquals(watch.look(known, now), []);
  const due = watch.due()!;
  assert(due > now && due < now + 10 * MINUTE);
  assertEquals(watch.look(known, due - 1), []);
  assertEquals(watch.look(known, due).map(({ kind, code }) => `${kind} ${code}`), [
    "opened failing",
  ]);
  assertEquals(watch.due(), null);
});

Deno.test("replay: a schedule whose failures alternate is one incident, and ends with them", () => {
  const fails = [40, 42, 44, 46];
  const { runs, until } = history(52, 24 * HOUR, (slot) => fails.includes(slot) ? "bad" : "good");
  const { events } = replay(runs, { until });
  assertEquals(
    events.map(({ kind, code }) => `${kind} ${code}`).join(", "),
    "opened failing, resolved failing" + ", flapping failing".repeat(3) + ", resolved failing",
  );
});
