import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  createWatch,
  defaultStatusDictionary,
  judgeSchedule,
  replay,
  type ReportRun,
  type Verdict,
} from "../../../lib/mod.ts";
import { reasonsOfLook } from "../../../lib/runs/judge/judge_schedule.ts";
import { makeHistory } from "./histories/histories.ts";
import { planNamed, PLANS } from "./histories/plans.ts";
import { randomFrom } from "./histories/random.ts";

const DAY = 86_400_000;

function fold(history: { runs: readonly ReportRun[]; now: number }) {
  return replay(history.runs, { until: history.now });
}

const anyHistory = fc.record({
  plan: fc.constantFrom(...PLANS.filter(({ days }) => days > 0.02 && days < 10)),
  fault: fc.constantFrom("nothing", "one missed", "retries", "by hand", "a pause", "failing"),
  seed: fc.nat(1_000_000),
  count: fc.integer({ min: 20, max: 70 }),
}).map((order) => makeHistory({ ...order, zone: "UTC", jitter: "seconds" }));

Deno.test("replay: gives the events that looking at each moment gives", () =>
  fc.assert(
    fc.property(anyHistory, (history) => {
      const { events, incidents, plan } = fold(history);
      // Looks at the moments that were told, with the runs that were known then.
      const watch = createWatch(plan ? { plan: { ...plan, since: 0 } } : {});
      const watched = [...new Set(events.map(({ at }) => at))].flatMap((at) => {
        const known = history.runs.filter(({ startTime }) => Date.parse(startTime!) <= at)
          .map((run) =>
            Date.parse(run.endTime!) > at ? { ...run, endTime: null, status: null } : run
          )
          .sort((a, b) => Date.parse(a.startTime!) - Date.parse(b.startTime!) || a.id - b.id);
        return watch.look(known.slice(-121), at);
      });
      assertEquals(watched, events);
      assertEquals(watch.incidents(), incidents);
    }),
    { numRuns: 20 },
  ));

Deno.test("replay: each incident is opened once, and resolved once at most", () =>
  fc.assert(
    fc.property(anyHistory, (history) => {
      const { events, incidents } = fold(history);
      for (const { code } of incidents) {
        const own = events.filter((event) => event.code === code).map(({ kind }) => kind);
        assert(own.every((kind, at) => (at % 2 === 0) === (kind !== "resolved")), own.join());
      }
      assertEquals(
        events.map(({ at }) => at),
        events.map(({ at }) => at).toSorted((a, b) => a - b),
      );
    }),
    { numRuns: 20 },
  ));

Deno.test("replay: a missing run is one incident, told once its grace is over, resolved by the next run", () => {
  const history = makeHistory({
    plan: planNamed("daily 06:00"),
    zone: "UTC",
    fault: "nothing",
    jitter: "seconds",
    count: 60,
    seed: 5,
  });
  const gone = Date.parse(history.runs[30].startTime!);
  const { events, plan } = fold({ ...history, runs: history.runs.toSpliced(30, 1) });
  assertEquals(events.map(({ kind, code }) => `${kind} ${code}`), [
    "opened overdue",
    "resolved overdue",
  ]);
  assert(events[0].at - gone < plan!.graceMs + 60_000);
  assertEquals(Math.round((events[1].at - gone) / DAY), 1);
});

Deno.test("replay: runs that become slower by ordinary steps are told when watching tells them", () => {
  const ends = {
    // Bit by bit.
    climb: (at: number) => 60 * 1.012 ** at,
    // At once, but by no more than runs differ anyway: seven of them tell it.
    step: (at: number) => (at < 60 ? 60 : 100) * [1, 1.25, 0.85, 1.1, 0.9][at % 5],
  };
  for (const [name, seconds] of Object.entries(ends)) {
    const runs = Array.from({ length: 75 }, (_, at): ReportRun => {
      const start = Date.UTC(2026, 0, 1, 6) + at * DAY;
      const [startTime, endTime] = [start, start + Math.round(seconds(at) * 1000)]
        .map((moment) => new Date(moment).toISOString());
      return { id: at, status: "success", startTime, endTime };
    });
    const until = Date.parse(runs.at(-1)!.endTime!) + 1000;
    const { events, plan } = replay(runs, { until });
    const watch = createWatch({ plan: { ...plan!, since: 0 } });
    const watched = runs.flatMap(({ endTime }, at) =>
      watch.look(runs.slice(0, at + 1), Date.parse(endTime!))
    );
    assertEquals(events, watched, name);
    assertEquals([events[0].kind, events[0].code], ["opened", "slower"], name);
  }
});

Deno.test("replay: a healthy history has no incident", () => {
  for (const plan of PLANS.filter(({ days }) => days < 10 && days > 0.02)) {
    const history = makeHistory({
      plan,
      zone: "Europe/Berlin",
      fault: "nothing",
      jitter: "seconds",
      count: 90,
      seed: 9,
    });
    assertEquals(fold(history).events, [], plan.name);
  }
});

Deno.test("judgeSchedule: going on from an earlier verdict gives what judging all runs gives", () =>
  fc.assert(
    fc.property(anyHistory, fc.integer({ min: 0, max: 20 }), ({ runs, now }, later) => {
      const statuses = defaultStatusDictionary();
      const first = runs.slice(0, runs.length - later);
      const earlier = judgeSchedule({ runs: first }, { now: now - later * 60_000, statuses });
      // The last one that was known has changed meanwhile.
      const rest = runs.slice(Math.max(0, first.length - 1));
      const all = judgeSchedule({ runs }, { now, statuses });
      for (const copy of [earlier, structuredClone(earlier), JSON.parse(JSON.stringify(earlier))]) {
        assertEquals(judgeSchedule({ runs: rest }, { now, statuses, earlier: copy }), all);
      }
    }),
    { numRuns: 20 },
  ));

Deno.test("judgeSchedule: going on infers no plan again where nothing has started since", () => {
  const { runs, now } = makeHistory({
    plan: planNamed("daily 06:00"),
    zone: "UTC",
    fault: "nothing",
    jitter: "seconds",
    count: 60,
    seed: 5,
  });
  const statuses = defaultStatusDictionary();
  const earlier = judgeSchedule({ runs }, { now, statuses });
  const failed = { ...runs.at(-1)!, status: "failure" };
  const later = judgeSchedule({ runs: [failed] }, { now: now + 60_000, statuses, earlier });
  assert(later.schedule?.plan === earlier.schedule?.plan);
  assertEquals(later.state, "down");
});

Deno.test("judgeSchedule: an earlier verdict without its runs is an error that says so", () => {
  const { runs: _, ...earlier } = judgeSchedule({ runs: [] }, { now: 0, statuses: {} });
  assertThrows(
    () => judgeSchedule({ runs: [] }, { now: 1, statuses: {}, earlier: earlier as Verdict }),
    TypeError,
    "earlier must be a verdict of judgeSchedule or a copy, with its runs",
  );
});

Deno.test("reasonsOfLook: gives the reasons of the verdict that are more than information", () =>
  fc.assert(
    fc.property(anyHistory, fc.nat(1_000_000), ({ runs, now }, seed) => {
      const random = randomFrom(seed);
      const changed = runs.map((run) => {
        const kind = random.next();
        if (kind < 0.03) return { ...run, attachmentCount: 0, attachmentSize: 0, cardCount: 0 };
        if (kind < 0.06) return { ...run, endTime: null, status: null };
        if (kind < 0.09) return { ...run, attachmentSize: (run.attachmentSize ?? 0) * 9 };
        if (kind > 0.97) return { ...run, emailSize: (run.emailSize ?? 0) * 9, status: "odd" };
        return run;
      });
      const options = { now, statuses: defaultStatusDictionary() };
      const weighty = (reasons: Verdict["reasons"]) =>
        reasons.filter(({ severity }) => severity !== "info");
      assertEquals(
        weighty(reasonsOfLook({ runs: changed }, options)),
        weighty(judgeSchedule({ runs: changed }, options).reasons),
      );
    }),
    { numRuns: 40 },
  ));
