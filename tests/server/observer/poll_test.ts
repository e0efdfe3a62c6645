/** What a poll reads and judges, and what people change meanwhile: plans, muting, recipients. */
import { assertEquals, assertMatch } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { storeRuns } from "../../../server/store/runs/store_runs.ts";
import { storeOn } from "../../../server/store/store.ts";
import { run } from "../store/rows.ts";
import { decideRecipient } from "../../../server/actions/decide_recipient.ts";
import { stopWatching } from "../../../server/observer/end_watch.ts";
import { toSummary } from "../../../server/observer/words.ts";
import { ADA } from "../../actors.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { GRACE, HOURLY, openCodes, runWell, START, withWorld, type World } from "./world.ts";

Deno.test("pollSchedule: asks seldom while all is well, and for no run older than RETAIN_RUNS", async () => {
  const counts = [[20 * HOUR, 21], [MINUTE, 2], [null, 40]] as const;
  for (const [retainRunsMs, count] of counts) {
    await withWorld([1], async (world) => {
      const { runs, retention } = world.records;
      runWell(world, 1, START - 39 * HOUR, 46);
      await retention.removeRunsBefore(START - 20 * HOUR);
      await world.until(START + 15 * MINUTE);
      assertEquals([await runs.count(1), world.notified()], [count, []]);
      const before = world.requests.length;
      assertEquals(await world.until(START + 2 * HOUR - 1), []);
      const minutes = world.requests.slice(before).map(({ at }) => (at - START) / MINUTE);
      const rounds = new Set(minutes.map(Math.floor));
      assertEquals([...rounds], [21, 31, 41, 51, 60, 61, 71, 81, 91, 101, 111]);
    }, { retainRunsMs });
  }
});

Deno.test("pollSchedule: the first poll of a watch sends only what is critical of old trouble", () =>
  withWorld([1, 2], async (world) => {
    for (let hour = -40; hour < 0; hour++) {
      world.run(1, START + hour * HOUR, { status: hour === -1 ? "failure" : "success" });
      world.run(2, START + hour * HOUR, { status: hour % 5 === 0 ? "failure" : "success" });
    }
    assertEquals(await world.until(START), ["opened failing 1"]);
    assertEquals(await openCodes(world, 2), ["flaky"]);
    await stopWatching(world.services, [2], { actor: ADA, now: world.now() });
    await world.until(START + 2 * HOUR);
    await world.records.watches.add([2], world.now());
    await world.until(START + 2 * HOUR + MINUTE);
    assertEquals(await openCodes(world, 2), ["flaky", "overdue"]);
    assertEquals(world.notified().filter((line) => line.endsWith(" 2")), ["opened overdue 2"]);
  }));

Deno.test("pollSchedule: goes by the service's clock; one that is off is an incident", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 48 * HOUR, 48);
    await world.until(START - MINUTE);
    world.clockOffset = -400;
    world.run(1, START, { endTime: new Date(START).toISOString() });
    await world.poll(START + 60);
    await world.until(START + 100);
    assertEquals([await world.records.runs.count(1), world.notified()], [49, []]);
    // It has started, though by that clock not yet.
    assertEquals((await world.records.verdicts.get(1))?.nextDue, START + HOUR);
    world.clockOffset = -10 * MINUTE;
    assertEquals(await world.until(START + HOUR + GRACE + 5 * MINUTE), ["opened clock service"]);
    world.clockOffset = 0;
    const then = (await world.until(START + 2 * HOUR)).sort();
    assertEquals(then, ["opened overdue 1", "resolved clock service"]);
    world.clockOffset = MINUTE;
    world.run(1, world.now() + MINUTE, { reportTitle: "Ahead", endTime: null });
    await world.poll();
    assertEquals((await world.records.watches.get(1))?.title, "Ahead");
  }));

Deno.test("pollSchedule: times without a zone are the service's, and titles name what has no name", () =>
  withWorld([1], async (world) => {
    const local = (at: number) => new Date(at + 9 * HOUR).toISOString().slice(0, 19);
    const titles = ["Old", `Sales\nfor ann.smith@example.com ${"x".repeat(200)}`];
    for (const [at, reportTitle] of titles.entries()) {
      const start = START + (at - 2) * HOUR;
      world.run(1, start, { startTime: local(start), reportTitle, status: "failure" });
    }
    await world.until(START + MINUTE);
    const [{ start, run }] = await world.records.runs.newest(1, 1);
    assertEquals([start, run.startTime], [START - HOUR, new Date(START - HOUR).toISOString()]);
    const name = "Sales\ufffdfor a…@example.com ".padEnd(200, "x");
    assertEquals(world.sent.map(({ message }) => message.event.data.schedule), [{ id: 1, name }]);
    // A run that tells no title takes none away.
    const next = START + 10 * MINUTE;
    world.run(1, next, { startTime: local(next), reportTitle: null });
    await world.until(START + HOUR);
    assertEquals((await world.records.runs.newest(1, 1))[0].start, next);
    assertEquals((await world.records.watches.get(1))?.title, name);
  }, { zone: "Asia/Tokyo" }));

/** Stores the runs of a world's only schedule in its embedded service. */
async function storeHistory({ database, histories }: World, at: number): Promise<void> {
  const runs = histories.get(1)!.map((run) => ({ scheduleId: 1, run }));
  await storeOn(database).put({ schedules: [1] });
  await database.transaction((transaction) => storeRuns(transaction, runs, at));
}

Deno.test("pollSchedule: a run that started before the last poll shows the lag in listing", async () => {
  /** How late runs are listed, some hours apart, when the poll before that is, and the known lag. */
  const rows = [
    { late: [8], lag: 8 },
    { late: [1], before: -1, lag: 0 },
    // Polled seldom, as after sleep: it was listed at some time between the two.
    { late: [40], before: 3, lag: 4 },
    // The longest of a day, and after that another one.
    { late: [20, 8], lag: 20 },
    { late: [20, 8], hours: 21, lag: 8 },
    { late: [20, 1], before: -1, lag: 20 },
    // Stored as they start, or when they end.
    { late: [0], lag: 0, isEmbedded: true },
    { late: [45], lag: 45, isEmbedded: true },
  ];
  for (const { late, before, hours = 1, lag, isEmbedded = false } of rows) {
    await withWorld([1], async (world) => {
      const first = START - (late.length - 1) * hours * HOUR;
      runWell(world, 1, first - 30 * HOUR, 30);
      if (isEmbedded) await storeHistory(world, first - HOUR);
      for (const [at, minutes] of late.entries()) {
        const start = first + at * hours * HOUR;
        const isLast = at === late.length - 1;
        await world.poll(start + ((isLast ? before : null) ?? minutes - 1) * MINUTE);
        const listed = start + minutes * MINUTE;
        world.run(1, start, { endTime: new Date(listed).toISOString() });
        if (isEmbedded) await storeHistory(world, listed);
        await world.poll(listed);
      }
      const { details } = (await world.records.verdicts.get(1))!;
      const known = [details.lag!.lag! / MINUTE, details.waitsMs > 0];
      assertEquals(known, [lag, lag > 0], late.join());
    }, { isEmbedded });
  }
});

Deno.test("pollSchedule: judges again what was stored in the embedded service since the last poll", () =>
  withWorld([1], async (world) => {
    const { verdicts, runs } = world.records;
    /** Stores what is listed now, and polls; gives when it was judged, in minutes, and the state. */
    const pollAt = async (minute: number, ...listed: readonly ReportRun[]) => {
      const at = START + minute * MINUTE;
      world.histories.set(1, [...listed]);
      await storeHistory(world, at);
      await world.poll(at);
      const { judged, state } = (await verdicts.get(1))!;
      return [(judged - START) / MINUTE, state];
    };
    const [first, last] = [START - HOUR, START - 5 * MINUTE].map((start) =>
      run(start / 1000, { startTime: new Date(start).toISOString(), status: "success" })
    );
    assertEquals(await pollAt(0, first), [0, "up"]);
    assertEquals(await pollAt(10, { ...last, status: "failure" }), [10, "down"]);
    // What was stored shortly before the last poll may not have been seen by it.
    assertEquals(await pollAt(12), [12, "down"]);
    await pollAt(13);
    assertEquals(await pollAt(14), [13, "down"]);
    assertEquals((await pollAt(30, last))[0], 30);
    assertEquals((await verdicts.get(1))!.failing, 0);
    assertEquals(await runs.count(1), 2);
  }, { isEmbedded: true }));

Deno.test("pollSchedule: what is overdue is not sent while muted or excused, also during a poll", () =>
  withWorld([1, 2, 3, 4], async (world) => {
    const { watches } = world.records;
    for (const id of [1, 2, 3, 4]) runWell(world, id, START - 30 * HOUR, 30);
    await watches.change(1, { mutedUntil: START + 30 * MINUTE }, START);
    const during = new Map<number, object>([
      [3, { mutedUntil: START + 9 * HOUR }],
      [4, { pauses: [{ from: START - MINUTE, to: START + 9 * HOUR }] }],
    ]);
    world.fault = (id) => {
      // At the poll that finds it overdue.
      if (during.has(id) && world.now() > START + GRACE) {
        void watches.change(id, during.get(id)!, world.now() + 1);
        during.delete(id);
      }
      return null;
    };
    assertEquals(await world.until(START + 20 * MINUTE), ["opened overdue 2"]);
    const open = await Promise.all([1, 3, 4].map((id) => openCodes(world, id)));
    assertEquals([open, during.size], [[["overdue"], ["overdue"], []], 0]);
    world.run(2, START);
    await world.until(START + 30 * MINUTE);
    const [first, listed, muted] = world.sent
      .map(({ at, message }) => `${toSummary(message.event)} at ${(at - START) / MINUTE}`);
    assertMatch(first, /not started; last sent Mon 9 Mar 23:00 UTC/);
    assertMatch(listed, /it went out Tue 10 Mar 00:00 UTC, and was listed Tue 10 Mar 00:2\d UTC/);
    assertMatch(muted, /^Schedule 1: .* at 30$/);
    const plan = { ...HOURLY, cron: ["30 * * * *"], since: world.now() };
    await watches.change(1, { plan }, world.now());
    const [changed, overdue] = await world.until(START + 40 * MINUTE);
    assertEquals([changed, overdue], ["resolved overdue 1", "opened overdue 1"]);
  }));

const [ADA_LISTED, SAM, ROWAN] = ["ada@example.com", "sam@example.com", "rowan@partner.example.net"]
  .map((emailAddress, at) => ({ userId: at + 1, displayName: "Name", emailAddress }));

Deno.test("pollSchedule: knows whom people expect outside, and who left", () =>
  withWorld([1], async (world) => {
    const { people, leavers } = world.records;
    const before = [ADA_LISTED, SAM];
    runWell(world, 1, START - 40 * HOUR, 40, { recipients: before });
    const runTo = async (hour: number, ...recipients: object[]) => {
      world.run(1, START + hour * HOUR, { recipients });
      await world.until(START + (hour + 1) * HOUR - MINUTE);
      return await openCodes(world);
    };
    assertEquals(await runTo(0, ...before, ROWAN), ["outside-recipient"]);
    const personId = (await people.find(3))!;
    const decision = { personId, expected: true, on: 1, note: "", until: null } as const;
    await decideRecipient(world.services, decision, { actor: ADA, now: world.now() });
    for (const hour of [1, 2]) await runTo(hour, ...before, ROWAN);
    assertEquals(await openCodes(world), []);
    const left = { userId: null, address: "sam@example.com", leftAt: START - 10 * HOUR };
    // With a list, and without it, it is judged at once.
    const add = () => leavers.add([left], { actor: ADA, now: world.now() });
    const clear = () => leavers.clear({ actor: ADA, now: world.now() });
    for (
      const [change, codes] of [[add, ["leaver-recipient"]], [clear, []], [add, null]] as const
    ) {
      await change();
      await world.until(world.now() + 1);
      if (codes) assertEquals(await openCodes(world), [...codes]);
    }
    await runTo(3, ADA_LISTED, ROWAN);
    assertEquals(await runTo(4, ADA_LISTED, ROWAN), []);
    // Also at the first run that ever lists them.
    await leavers.add([{ userId: 9, address: null, leftAt: START }], { actor: ADA, now: START });
    assertEquals(await runTo(5, ADA_LISTED, ROWAN, { userId: 9 }), ["leaver-recipient"]);
  }));
