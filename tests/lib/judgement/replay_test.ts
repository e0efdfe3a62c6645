import { assertEquals } from "@std/assert";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import { replay } from "../../../lib/mod.ts";
import { makeHistory } from "./histories/histories.ts";
import { planNamed } from "./histories/plans.ts";

/** A history without faults, due daily at 06:00. */
function dailyHistory({ count, seed }: { readonly count: number; readonly seed: number }) {
  const plan = planNamed("daily 06:00");
  return makeHistory({ plan, zone: "UTC", fault: "nothing", jitter: "seconds", count, seed });
}

Deno.test("replay: with a grace of a day, sends before the next slot", () => {
  const { runs, now } = dailyHistory({ count: 40, seed: 5 });
  for (const graceMs of [23, 24, 30].map((hours) => hours * HOUR)) {
    const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs, since: 0 };
    const due = Math.floor(Date.parse(runs[20].startTime!) / DAY) * DAY + 6 * HOUR;
    const { events } = replay(runs.toSpliced(20, 1), { until: now, plans: [plan] });
    const told = events.map(({ kind, code }) => `${kind} ${code}`);
    assertEquals(told, ["opened overdue", "passed missed"]);
    assertEquals(events[0].at, due + 0.95 * DAY + 1);
    assertEquals(events[1].at, Date.parse(runs[21].startTime!));
  }
});

Deno.test("replay: a failed run without an end is reported when it started", () => {
  const { runs, now } = dailyHistory({ count: 30, seed: 5 });
  const [failed] = runs.slice(20);
  const some = runs.with(20, { ...failed, endTime: null, status: "failure" });
  const { incidents } = replay(some, { until: now, plans: [] });
  const told = incidents.map(({ code, opened }) => [code, opened]);
  assertEquals(told, [["failing", Date.parse(failed.startTime!)]]);
  // Of runs with the same id, the first counts.
  const repeated = [...runs, { ...failed, status: "failure" }];
  assertEquals(replay(repeated, { until: now, plans: [] }).events, []);
});

Deno.test("replay: a plan holds from its first moment, and judges the planned run before it", () => {
  const { runs } = dailyHistory({ count: 20, seed: 5 });
  const until = Date.parse(runs[19].startTime!) + DAY + HOUR;
  const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: HOUR / 2, since: until };
  const { events } = replay(runs, { until, plans: [plan] });
  assertEquals(events.map(({ kind, code, at }) => [kind, code, at]), [[
    "opened",
    "overdue",
    until,
  ]]);
});
