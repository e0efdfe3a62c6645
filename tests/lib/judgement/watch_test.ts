import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import {
  defaultStatusDictionary,
  judgeSchedule,
  type Pause,
  planSlots,
  replay,
  type ReportRun,
  type Verdict,
} from "../../../lib/mod.ts";
import { createWatch, type Watch } from "../../../lib/judgement/watch.ts";
import { knownRuns } from "../../../lib/judgement/facts.ts";
import { judgeToWatch } from "../../../lib/judgement/judge_schedule.ts";
import { makeHistory } from "./histories/histories.ts";
import { planNamed, PLANS } from "./histories/plans.ts";
import { randomFrom } from "./histories/random.ts";

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

/** Changes runs here and there, so that other reasons come and go. */
const CHANGES: Readonly<
  Record<string, (run: ReportRun, share: number, part: number) => ReportRun>
> = {
  "nothing": (run) => run,
  "failures": (run, _, part) => part < 0.06 ? { ...run, status: "failure" } : run,
  "another status": (run, share, part) =>
    share > 0.6 && part < 0.5 ? { ...run, status: "odd" } : run,
  "a climb": (run, share) => ({
    ...run,
    endTime: new Date(Date.parse(run.startTime!) + 40_000 * (1 + 3 * share)).toISOString(),
  }),
  "another size": (run, share) =>
    share > 0.7 ? { ...run, attachmentSize: (run.attachmentSize ?? 0) * 2 } : run,
  "odd ones": (run, _, part) => {
    const long = new Date(Date.parse(run.startTime!) + 2 * HOUR).toISOString();
    if (part < 0.02) return { ...run, attachmentCount: 0, attachmentSize: 0, cardCount: 0 };
    if (part < 0.04) return { ...run, recipients: [], recipientCount: 0 };
    if (part < 0.06) return { ...run, endTime: long };
    return part < 0.08 ? { ...run, attachmentSize: 9e6, emailSize: 9e6 } : run;
  },
  "missing ends": (run, share, part) =>
    part < share / 2 ? { ...run, endTime: null, status: part < 0.1 ? null : "sent" } : run,
};

const anyChangedHistory = fc.record({
  plan: fc.constantFrom(...PLANS.filter(({ days }) => days > 0.02 && days < 10)),
  fault: fc.constantFrom(
    ..."nothing,some missed,40 % missed,a pause,one late,retries,by hand,twins,stopped".split(","),
  ),
  seed: fc.nat(1_000_000),
  // More than are judged at a look.
  count: fc.integer({ min: 20, max: 150 }),
  jitter: fc.constantFrom("seconds" as const, "8 minutes" as const),
  pause: fc.option(
    fc.record({ from: fc.double({ max: 1, min: 0, noNaN: true }), days: fc.nat(20) }),
  ),
  change: fc.constantFrom(...Object.keys(CHANGES)),
}).map(({ change, pause, ...order }) => {
  const history = makeHistory({ ...order, zone: "Europe/Berlin" });
  const begin = Date.parse(history.runs[0].startTime!);
  const from = begin + Math.round((pause?.from ?? 0) * (history.now - begin));
  const random = randomFrom(order.seed);
  const runs = history.runs.map((run, at) =>
    CHANGES[change](run, at / history.runs.length, random.next())
  );
  const pauses = pause ? [{ from, to: pause.days === 0 ? null : from + pause.days * DAY }] : [];
  return { ...history, runs, pauses, name: `${history.name}, with ${change}` };
});

/** What a watch tells that looks whenever a run starts or ends or a grace is over, and a replay. */
function assertReplayed(runs: readonly ReportRun[], until: number, pauses: readonly Pause[] = []) {
  const inferred = replay(runs, { until, pauses }).plan;
  // A watch is given its plan. Where a replay infers it, it waits longer as clocks change.
  const given = { pauses, plan: inferred && { ...inferred, since: 0 } };
  const { events, incidents, plan } = replay(runs, { until, ...given });
  const timed = runs.map((run) => ({
    run,
    start: Date.parse(run.startTime!),
    end: Date.parse(run.endTime ?? run.startTime!),
  })).sort((a, b) => a.start - b.start || a.run.id - b.run.id);
  const graceEnds = plan
    ? planSlots(plan, timed[0].start, until).map((slot) => slot + plan.graceMs + 1)
    : [];
  const moments = [...timed.flatMap(({ start, end }) => [start, end]), ...graceEnds, until]
    .filter((at) => at <= until).sort((a, b) => a - b);
  const watch = createWatch(given);
  const judgeAt = (at: number) =>
    watch.look(
      timed.filter(({ start }) => start <= at)
        .map(({ run, end }) => end > at ? { ...run, endTime: null, status: null } : run),
      at,
    );
  const watched = moments.flatMap((at) => {
    const told = [];
    for (let due = watch.due(); due !== null && due < at; due = watch.due()) {
      told.push(...judgeAt(due));
    }
    return [...told, ...judgeAt(at)];
  });
  assertEquals(watched, events);
  // Of what a reason rests on, a later judgement knows more.
  const without = (all: typeof incidents) => all.map(({ reason: _, ...incident }) => incident);
  assertEquals(without(watch.incidents()), without(incidents));
  return events;
}

Deno.test("replay: gives what judging at each start, end and end of a grace gives", () =>
  fc.assert(
    fc.property(anyChangedHistory, ({ runs, pauses, now: until }) => {
      assertReplayed(runs, until, pauses);
    }),
    { numRuns: 10 },
  ));

Deno.test("createWatch: asks to be called when a run that goes on will be stuck, where nothing else happens", () => {
  const { runs } = dailyHistory({ count: 30, seed: 5 });
  const known = [...runs.slice(0, 29), { ...runs[29], endTime: null, status: null }];
  const watch = createWatch({ plan: null });
  watch.look(known, Date.parse(runs[29].startTime!));
  const due = watch.due()!;
  const codes = (at: number) => watch.look(known, at).map(({ code }) => code);
  assertEquals([codes(due - 1), codes(due)], [[], ["stuck"]]);
  assertEquals(watch.due(), null);
});

Deno.test("createWatch: infers the plan each time it judges, unless there is known to be none", () => {
  const { runs, now } = dailyHistory({ count: 20, seed: 1 });
  const codes = (watch: Watch) => watch.look(runs, now + 2 * DAY).map(({ code }) => code);
  assertEquals(codes(createWatch({})), ["overdue"]);
  assertEquals(codes(createWatch({ plan: null })), []);
});

Deno.test("replay: each incident is opened once, and resolved once at most", () =>
  fc.assert(
    fc.property(anyHistory, (history) => {
      const { events, incidents } = fold(history);
      for (const { code } of incidents) {
        const own = events.filter((event) => event.code === code).map(({ kind }) => kind);
        const isInOrder = own.every((kind, at) =>
          // Failures that come and go are one incident, which stays open.
          kind === "flapping"
            ? at > 0
            : (kind === "resolved") === (at > 0 && own[at - 1] !== "resolved")
        );
        assert(isInOrder, own.join());
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
  const confirmed = replay(some, { until: now, plan: inferred.plan! });
  assertEquals(
    [inferred, confirmed].map(({ incidents: [{ reason }] }) =>
      reason.code === "overdue" && reason.confirmed
    ),
    [false, true],
  );
});

Deno.test("replay: with a grace of a day or more, a missing run is sent before the next slot", () => {
  const { runs, now } = dailyHistory({ count: 40, seed: 5 });
  for (const graceMs of [23, 24, 30].map((hours) => hours * HOUR)) {
    const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs, since: 0 };
    const due = Math.floor(Date.parse(runs[20].startTime!) / DAY) * DAY + 6 * HOUR;
    const { events } = replay(runs.toSpliced(20, 1), { until: now, plan });
    const told = events.map(({ kind, code }) => `${kind} ${code}`);
    assertEquals(told, ["opened overdue", "resolved overdue"]);
    assertEquals(events[0].at, due + 0.95 * DAY + 1);
    assertEquals(events[1].at, Date.parse(runs[21].startTime!));
  }
});

Deno.test("replay: runs overdue when a pause begins stay overdue, runs due in it do not count, and those due after it do", () => {
  const { runs, now } = dailyHistory({ count: 60, seed: 5 });
  const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: HOUR, since: 0 };
  const slotOf = (at: number) => Math.floor(Date.parse(runs[at].startTime!) / DAY) * DAY + 6 * HOUR;
  // Nothing ran from the 20th to the 29th day.
  const told = (from: number, to: number) =>
    replay(runs.toSpliced(20, 10), {
      until: now,
      plan,
      pauses: [{ from: slotOf(from) - HOUR, to: slotOf(to) - HOUR }],
    }).incidents.map((
      { code, reason, opened, resolved },
    ) => [code, reason.since, opened, resolved]);
  const ran = Date.parse(runs[30].startTime!);
  assertEquals(told(20, 30), []);
  assertEquals(told(22, 30), [["overdue", slotOf(20), slotOf(20) + HOUR + 1, ran]]);
  assertEquals(told(20, 27), [["overdue", slotOf(27), slotOf(27) + HOUR + 1, ran]]);
});

Deno.test("replay: a failed run without an end is reported when it started", () => {
  const { runs, now } = dailyHistory({ count: 30, seed: 5 });
  const [failed] = runs.slice(20);
  const some = runs.with(20, { ...failed, endTime: null, status: "failure" });
  const { incidents } = replay(some, { until: now, plan: null });
  const told = incidents.map(({ code, opened }) => [code, opened]);
  assertEquals(told, [["failing", Date.parse(failed.startTime!)]]);
  // Of runs with the same id, the first counts.
  const repeated = [...runs, { ...failed, status: "failure" }];
  assertEquals(replay(repeated, { until: now, plan: null }).events, []);
});

Deno.test("replay: a healthy history has no incident", () => {
  for (const plan of PLANS.filter(({ days }) => days < 10 && days > 0.02)) {
    const made = { plan, zone: "Europe/Berlin", fault: "nothing", jitter: "seconds" } as const;
    const { events } = fold(makeHistory({ ...made, count: 90, seed: 9 }));
    assertEquals(events, [], plan.name);
  }
});

Deno.test("judgeToWatch: gives the reasons of the verdict that are more than information", () =>
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
      const significant = (reasons: Verdict["reasons"]) =>
        reasons.filter(({ severity }) => severity !== "info");
      assertEquals(
        significant(judgeToWatch(knownRuns({ runs: changed }, options), options).reasons),
        significant(judgeSchedule({ runs: changed }, options).reasons),
      );
    }),
    { numRuns: 40 },
  ));

Deno.test("createWatch: sees the newest 120 runs that ended, and those that did not", () => {
  const start = Date.UTC(2026, 0, 1);
  const runs = Array.from({ length: 130 }, (_, id) => {
    const startTime = new Date(start + id * HOUR).toISOString();
    const isOpen = id === 129;
    const status = isOpen ? "running" : "failure";
    return { id, startTime, endTime: isOpen ? null : startTime, status } as ReportRun;
  });
  const watch = createWatch({});
  watch.look(runs, start + 129 * HOUR + 60_000);
  const [{ reason }] = watch.incidents().filter(({ code }) => code === "failing");
  assertEquals(reason.since, start + 9 * HOUR);
});
