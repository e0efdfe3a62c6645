import { assertEquals } from "@std/assert";
import { DAY, HOUR, MINUTE } from "../../../lib/time_units.ts";
import { occurrencesOf, timedRuns } from "../../../lib/runs/occurrences.ts";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { runAt } from "../judgement/runs_at.ts";

const START = Date.UTC(2026, 0, 1, 6);

const statuses = defaultStatusDictionary();

/** One run a day, with ids from 0. */
function daily(count: number): ReportRun[] {
  return Array.from({ length: count }, (_, day) => runAt(day, START + day * DAY));
}

/** The ids of what the schedule started, each with its twins and retries; and of runs by hand. */
function startedBy(runs: readonly ReportRun[]) {
  const { timed } = timedRuns(runs, START + 400 * DAY, statuses);
  const { planned, byHand } = occurrencesOf(timed);
  return {
    planned: planned.map((runs) => runs.map(({ run }) => run.id).join("+")).join(" "),
    byHand: byHand.map(({ run }) => run.id),
  };
}

Deno.test("timedRuns: sorted; no start, or one in the future or before 2000, is impossible", () => {
  const now = START + 10 * DAY;
  const { timed, impossible } = timedRuns(
    [
      runAt(5, START + 2),
      runAt(4, START + 2),
      runAt(3, START),
      runAt(2, now + 5 * MINUTE),
      runAt(1, now + 5 * MINUTE + 1),
      runAt(0, Date.UTC(2000, 0, 1) - 1),
      runAt(9, START, { startTime: null }),
    ],
    now,
    statuses,
  );
  assertEquals(timed.map(({ run }) => run.id), [3, 4, 5, 2]);
  assertEquals(impossible.map(({ id }) => id), [0, 1, 9]);
});

Deno.test("occurrencesOf: a run within two minutes of another is its twin", () => {
  const twin = runAt(50, START + 3 * DAY + 2 * MINUTE);
  const later = runAt(51, START + 5 * DAY + 2 * MINUTE + 1);
  assertEquals(startedBy([...daily(8), twin, later]).planned, "0 1 2 3+50 4 5 51 6 7");
  // Of a schedule that runs each minute, no run is another's twin.
  const minutely = Array.from({ length: 5 }, (_, id) => runAt(id, START + id * MINUTE));
  const first = [2, 5].map((count) => startedBy(minutely.slice(0, count)).planned);
  assertEquals(first, ["0 1", "0 1 2 3 4"]);
});

Deno.test("occurrencesOf: a run soon after a failure is its retry", () => {
  const failed = daily(10).map((run) => run.id % 4 === 1 ? { ...run, status: "failure" } : run);
  const retries = [1, 5, 9].map((day) => runAt(50 + day, START + day * DAY + 30 * MINUTE));
  // One after a success is none.
  const runs = [...failed, ...retries, runAt(70, START + 2 * DAY + 30 * MINUTE)];
  assertEquals(startedBy(runs).planned, "0 1+51 2 70 3 4 5+55 6 7 8 9+59");
  const often = failed.map(({ id, status }) => runAt(id, START + id * 20 * MINUTE, { status }));
  assertEquals(startedBy(often).planned, "0 1 2 3 4 5 6 7 8 9");
});

Deno.test("occurrencesOf: runs by hand count only if none is automated", () => {
  const byHand = { automated: false };
  const runs = [...daily(4), runAt(50, START + HOUR, byHand)];
  assertEquals(startedBy(runs), { planned: "0 1 2 3", byHand: [50] });
  assertEquals(startedBy(runs.map((run) => ({ ...run, ...byHand }))).planned, "0 50 1 2 3");
});
