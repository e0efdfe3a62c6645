import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { planSlots, replay, type ReportRun } from "../../../lib/mod.ts";
import { type LabelledHistory, makeHistory } from "../../lib/judgement/histories/histories.ts";
import { planNamed, PLANS } from "../../lib/judgement/histories/plans.ts";
import type { OutletEvent } from "../../../server/observer/event.ts";
import { withWorld } from "./world.ts";

const FAULTS = [
  "nothing",
  "one missed",
  "some missed",
  "a pause",
  "one late",
  "failing",
  "retries",
  "by hand",
  "stopped",
];

const anyHistory = fc.record({
  plan: fc.constantFrom(...PLANS.filter(({ days }) => days > 0.02 && days < 10)),
  fault: fc.constantFrom(...FAULTS),
  seed: fc.nat(1_000_000),
  count: fc.integer({ min: 10, max: 18 }),
}).map((order) => makeHistory(order));

const daily = (fault: string, count: number, seed: number) =>
  makeHistory({ plan: planNamed("daily 06:00"), fault, count, seed });

/** Histories with the events that any must have been compared, and one that was found wrong once. */
const EXAMPLES = [
  daily("one missed", 25, 1),
  daily("one late", 25, 1),
  daily("failing", 25, 1),
  daily("retries", 40, 1),
  // Its runs become slower bit by bit, so that none of them is unusual.
  daily("a pause", 40, 999_987),
].map((history): [LabelledHistory] => [history]);

/** The history as the service gives it at a moment: a run that goes on has no end yet. */
function knownAt(runs: readonly ReportRun[], now: number): ReportRun[] {
  return runs.filter(({ startTime }) => Date.parse(startTime!) <= now).map((run) =>
    Date.parse(run.endTime!) > now ? { ...run, endTime: null, status: null } : run
  );
}

const inOrder = (items: readonly (readonly unknown[])[]) =>
  items.map((item) => JSON.stringify(item)).sort();

Deno.test("replay: gives the same incidents as the observer's polls, event for event", async () => {
  const seen = new Set<string>();
  const isAlike = fc.asyncProperty(anyHistory, async ({ runs, now: until }) => {
    const [inferred] = replay(runs, { until }).plans;
    if (inferred === undefined) return;
    const starts = runs.map(({ startTime }) => Date.parse(startTime!));
    const since = Math.min(...starts);
    // The observer gets the plan. Where a replay infers it, it waits longer as clocks change.
    const plan = { ...inferred, since };
    // From then on, somebody has confirmed another one.
    const changed = {
      ...plan,
      cron: ["30 7 * * *"],
      since: Math.round(until - (until - since) / 5),
    };
    const plans = [plan, changed];
    const { events, incidents } = replay(runs, { until, plans });
    // Whenever a run starts or ends, a grace is over or something stayed away, and some times between.
    const moments = [
      ...starts,
      ...runs.map(({ endTime }) => Date.parse(endTime!)),
      ...plans.flatMap((each) =>
        planSlots(each, each.since, until).map((slot) => slot + each.graceMs + 1)
      ),
      changed.since,
      ...events.map(({ at }) => at),
      until,
    ].filter((at) => at <= until).sort((a, b) => a - b);
    const between = moments.slice(1).map((at, index) => Math.round((at + moments[index]) / 2))
      .filter((_, index) => index % 3 === 0);
    await withWorld([1], async (world) => {
      for (const at of [...new Set([...moments, ...between])].sort((a, b) => a - b)) {
        world.histories.set(1, knownAt(runs, at));
        if (at === changed.since) await world.records.watches.change(1, { plan: changed }, at);
        assertEquals(await world.poll(at), 1);
      }
      const { items } = await world.records.messages.list({ limit: 1000 });
      const sent = items.map(({ event, created }) => {
        const { type, data }: OutletEvent = JSON.parse(event);
        return [type.replace("incident.", ""), data.incident.code, created];
      });
      for (const { kind, code } of events) seen.add(`${kind} ${code}`);
      assertEquals(inOrder(sent), inOrder(events.map(({ kind, code, at }) => [kind, code, at])));
      const stored = await world.records.incidents.list({ scheduleId: 1, limit: 1000 });
      assertEquals(
        inOrder(stored.items.map(({ since, opened, resolved }) => [since, opened, resolved])),
        inOrder(incidents.map(({ reason, ...one }) => [reason.since, one.opened, one.resolved])),
      );
    }, { plans: () => plan });
  });
  await fc.assert(isAlike, { numRuns: 2 * FAULTS.length, examples: EXAMPLES });
  for (const event of ["opened overdue", "resolved overdue", "passed missed", "opened failing"]) {
    assert(seen.has(event), `no history has ${event}`);
  }
});
