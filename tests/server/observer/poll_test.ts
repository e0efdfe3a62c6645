import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { endWatch } from "../../../server/observer/end_watch.ts";
import { ADA } from "../../actors.ts";
import { GRACE, openCodes, runWell, START, withWorld } from "./world.ts";

Deno.test("pollSchedule: a healthy schedule costs few requests", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    await world.until(START - 1);
    const before = world.requests.length;
    for (let hour = 0; hour < 6; hour++) {
      world.run(1, START + hour * HOUR + MINUTE / 2);
      await world.until(START + (hour + 1) * HOUR - 1);
    }
    assertEquals(world.notified(), []);
    const requests = world.requests.length - before;
    assert(requests <= 6 * 20, `${requests} requests`);
  }));

Deno.test("pollSchedule: reads no run older than RETAIN_RUNS but the newest; without that, all", async () => {
  const counts = [[20 * HOUR, 21], [MINUTE, 2], [null, 40]] as const;
  for (const [retainRunsMs, count] of counts) {
    await withWorld([1], async (world) => {
      const { runs, retention } = world.records;
      runWell(world, 1, START - 39 * HOUR, 40);
      await retention.removeRunsBefore(START - 20 * HOUR);
      await world.until(START + 15 * MINUTE);
      assertEquals([await runs.count(1), world.notified()], [count, []]);
    }, { retainRunsMs });
  }
});

Deno.test("pollSchedule: the first poll of a watch sends only what is critical of old trouble", () =>
  withWorld([1, 2], async (world) => {
    for (let hour = -40; hour < 0; hour++) {
      world.run(1, START + hour * HOUR, { status: hour === -1 ? "failure" : "success" });
      world.run(2, START + hour * HOUR, { status: hour % 5 === 0 ? "failure" : "success" });
    }
    await world.until(START);
    assertEquals(world.notified(), ["opened failing 1"]);
    assertEquals(await openCodes(world, 2), ["flaky"]);
    await endWatch(world.services, { scheduleId: 2, actor: ADA, now: world.now() });
    await world.until(START + 2 * HOUR);
    await world.records.watches.add([2], world.now());
    await world.until(START + 2 * HOUR + MINUTE);
    assertEquals(await openCodes(world, 2), ["flaky", "overdue"]);
    assertEquals(world.notified().filter((line) => line.endsWith(" 2")), ["opened overdue 2"]);
  }));

Deno.test("pollSchedule: a clock that is off is an incident, and verdicts go by the service's", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    world.clockOffset = -10 * MINUTE;
    await world.until(START + GRACE + 5 * MINUTE);
    assertEquals(world.notified(), ["opened clock service"]);
    world.clockOffset = 0;
    await world.until(START + HOUR);
    const sent = ["opened clock service", "opened overdue 1", "resolved clock service"];
    assertEquals(world.notified().sort(), sent);
  }));

Deno.test("pollSchedule: times without a zone are those of the service's", () =>
  withWorld([1], async (world) => {
    const local = new Date(START + 9 * HOUR).toISOString().slice(0, 19);
    world.run(1, START, { startTime: local });
    await world.until(START + 30 * MINUTE);
    const [stored] = await world.records.runs.newest(1, 1);
    assertEquals([stored.start, stored.run.startTime], [START, new Date(START).toISOString()]);
  }, { zone: "Asia/Tokyo" }));

Deno.test("pollSchedule: a schedule without a name has its newest title", () =>
  withWorld([1], async (world) => {
    const titles = ["Old", "Sales\nfor ann.smith@example.com"];
    for (const [at, reportTitle] of titles.entries()) {
      world.run(1, START + (at - 2) * HOUR, { reportTitle, status: "failure" });
    }
    await world.until(START + MINUTE);
    const name = "Sales\ufffdfor a…@example.com";
    assertEquals(world.sent.map(({ message }) => message.event.data.schedule), [{ id: 1, name }]);
    world.run(1, START, { reportTitle: "New".repeat(100) });
    world.run(1, START + HOUR, { reportTitle: null });
    await world.until(START + 2 * HOUR - 1);
    assertEquals((await world.records.watches.get(1))?.title, "New".repeat(67).slice(0, 200));
  }));

Deno.test("pollSchedule: a run that starts within the error of the clock is not sent twice", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 48 * HOUR, 48);
    await world.until(START - MINUTE);
    world.clockOffset = -400;
    world.run(1, START, { endTime: new Date(START).toISOString() });
    await world.records.polls.makeDue(1, START + 60);
    await world.until(START + 100);
    assertEquals(await world.records.runs.count(1), 49);
    assertEquals(world.notified(), []);
  }));

/** Lets the run of START be listed some minutes late; gives the lag in minutes that is known then. */
async function lagAfter(
  minutes: number,
  { polled = minutes - 1, known = 0 }: {
    /** When the poll before was. */
    readonly polled?: number;
    /** The lag of the run an hour before. */
    readonly known?: number;
  } = {},
): Promise<number> {
  let lag = NaN;
  await withWorld([1], async (world) => {
    const { polls, verdicts } = world.records;
    const listAt = async (start: number, late: number, before = late - 1) => {
      world.sleepUntil(start + before * MINUTE);
      await polls.makeDue(1, world.now());
      await world.observer.pollDue();
      world.sleepUntil(start + late * MINUTE);
      world.run(1, start, { endTime: new Date(world.now()).toISOString() });
      await polls.makeDue(1, world.now());
      await world.observer.pollDue();
    };
    runWell(world, 1, START - 30 * HOUR, 29);
    if (known > 0) await listAt(START - HOUR, known);
    else world.run(1, START - HOUR);
    await listAt(START, minutes, polled);
    lag = (await verdicts.get(1))!.details.lag!.lag! / MINUTE;
  });
  return lag;
}

Deno.test("pollSchedule: a run that started before the last poll shows the lag in listing", async () => {
  assertEquals(await lagAfter(8), 8);
  assertEquals(await lagAfter(1, { polled: -1 }), 0);
  // Polled seldom, as after sleep: it was listed at some time between the two.
  assertEquals(await lagAfter(40, { polled: 3 }), 4);
  assertEquals(await lagAfter(8, { known: 20 }), 20, "the longest of a day");
  assertEquals(await lagAfter(1, { polled: -1, known: 20 }), 20);
});
