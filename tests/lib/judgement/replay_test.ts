import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import { replay, type ReportRun } from "../../../lib/mod.ts";
import { makeHistory } from "./histories/histories.ts";
import { planNamed, PLANS } from "./histories/plans.ts";

function fold(history: { runs: readonly ReportRun[]; now: number }) {
  return replay(history.runs, { until: history.now });
}

const anyHistory = fc.record({
  plan: fc.constantFrom(...PLANS.filter(({ days }) => days > 0.02 && days < 10)),
  fault: fc.constantFrom(
    ...["nothing", "one missed", "some missed", "retries", "by hand", "a pause", "failing"],
  ),
  seed: fc.nat(1_000_000),
  count: fc.integer({ min: 20, max: 70 }),
}).map((order) => makeHistory({ ...order, zone: "UTC", jitter: "seconds" }));

/** A history without faults, due daily at 06:00. */
function dailyHistory({ count, seed }: { readonly count: number; readonly seed: number }) {
  const plan = planNamed("daily 06:00");
  return makeHistory({ plan, zone: "UTC", fault: "nothing", jitter: "seconds", count, seed });
}

Deno.test("replay: each incident is opened first, and again only after it was resolved", () =>
  fc.assert(
    fc.property(anyHistory, (history) => {
      const { events, incidents } = fold(history);
      for (const { key } of incidents) {
        const own = events.filter((event) => event.key === key).map(({ kind }) => kind);
        const isInOrder = own.every((kind, at) =>
          (kind === "opened") === (at === 0 || own[at - 1] === "resolved")
        );
        assert(isInOrder || own[0] === "passed", own.join());
      }
      const moments = events.map(({ at }) => at);
      assertEquals(moments, moments.toSorted((a, b) => a - b));
    }),
    { numRuns: 20 },
  ));

Deno.test("replay: a reason says whether a person confirmed the plan it rests on", () => {
  const { runs, now } = dailyHistory({ count: 30, seed: 5 });
  const some = runs.toSpliced(20, 1);
  const inferred = replay(some, { until: now });
  const confirmed = replay(some, { until: now, plans: inferred.plans });
  assertEquals(
    [inferred, confirmed].map(({ incidents: [{ reason }] }) =>
      reason.code === "overdue" && reason.confirmed
    ),
    [false, true],
  );
});

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

Deno.test("replay: a pause excuses runs due in it, not before or after", () => {
  const { runs, now } = dailyHistory({ count: 60, seed: 5 });
  const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: HOUR, since: 0 };
  const slotOf = (at: number) => Math.floor(Date.parse(runs[at].startTime!) / DAY) * DAY + 6 * HOUR;
  // Nothing ran from the 20th to the 29th day.
  const told = (from: number, to: number) =>
    replay(runs.toSpliced(20, 10), {
      until: now,
      plans: [plan],
      pauses: [{ from: slotOf(from) - HOUR, to: slotOf(to) - HOUR }],
    }).incidents.map((
      { code, reason, opened, resolved },
    ) => [code, reason.since, opened, resolved]);
  // They stay listed until they are no longer among the last 20 planned runs.
  const closed = (at: number) => Date.parse(runs[at].startTime!);
  assertEquals(told(20, 30), []);
  assertEquals(told(22, 30), [["overdue", slotOf(20), slotOf(20) + HOUR + 1, closed(41)]]);
  assertEquals(told(20, 27), [["overdue", slotOf(27), slotOf(27) + HOUR + 1, closed(49)]]);
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

Deno.test("replay: a healthy history has no incident", () => {
  for (const plan of PLANS.filter(({ days }) => days < 10 && days > 0.02)) {
    const made = { plan, zone: "Europe/Berlin", fault: "nothing", jitter: "seconds" } as const;
    const { events } = fold(makeHistory({ ...made, count: 90, seed: 9 }));
    assertEquals(events, [], plan.name);
  }
});
