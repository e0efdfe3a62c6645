import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { defaultStatusDictionary, type ReportRun } from "../../../lib/mod.ts";
import { repairedBy } from "../../../lib/judgement/retries.ts";
import { timedRuns } from "../../../lib/runs/occurrences.ts";
import { randomFrom } from "./histories/random.ts";
import { runAt } from "./runs_at.ts";

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
    const endTime = new Date(end).toISOString();
    runs.push(runAt(runs.length + 1, start, { status, automated, endTime }));
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

/** Until when the last failure may be repaired, in minutes after it; null if that is not awaited. */
function waitAfter(fate: (slot: number) => Fate, everyMs = HOUR): number | null {
  const { runs, until } = history(40, everyMs, (slot) => slot === 39 ? "bad" : fate(slot));
  const by = repairedBy(timedRuns(runs, until, statuses).timed);
  return by === null ? null : (by - Date.parse(runs.at(-1)!.endTime!)) / MINUTE;
}

Deno.test("repairedBy: waits as long as repairs took, but not where few failures were repaired", () => {
  // A retry ends 7 minutes after the failure at the latest: a tenth more, and a minute.
  const wait = waitAfter((slot) => slot % 10 === 5 ? "retried" : "good")!;
  assert(wait > 5 && wait <= 8.7, `${wait} minutes`);
  assertEquals(waitAfter(() => "good"), null);
  assertEquals(waitAfter((slot) => slot % 10 === 5 ? "bad" : "good"), null);
  // People have to be notified of what they repair.
  assertEquals(waitAfter((slot) => slot % 10 === 5 ? "by hand" : "good"), null);
  assert(waitAfter((slot) => slot === 5 ? "retried" : "good") !== null);
  // One failure of many was repaired.
  const once = waitAfter((slot) => slot % 10 === 5 ? slot === 5 ? "retried" : "bad" : "good");
  assertEquals(once, null);
  // How failures were repaired long ago says nothing.
  const long = history(500, HOUR, (slot) => slot === 499 ? "bad" : slot === 5 ? "retried" : "good");
  assertEquals(repairedBy(timedRuns(long.runs, long.until, statuses).timed), null);
  // Nothing fails now.
  const { runs, until } = history(100, HOUR, (slot) => slot === 30 ? "retried" : "good");
  assertEquals(repairedBy(timedRuns(runs, until, statuses).timed), null);
  // Where runs are frequent, the next planned one repairs it.
  assert(waitAfter((slot) => slot % 10 === 5 ? "bad" : "good", 5 * MINUTE)! < 8);
});
