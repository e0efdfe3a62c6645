import { assert, assertEquals, assertObjectMatch } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { summaryOf } from "../../../server/observer/words.ts";
import { GRACE, HOURLY, runWell, START, withWorld } from "./world.ts";

Deno.test("pollSchedule: a failure is recorded once, sent once, and resolved by the next success", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    await world.until(START + MINUTE / 2);
    world.run(1, START, { status: "failure" });
    await world.until(START + HOUR - 1);
    world.run(1, START + HOUR, { status: "failure" });
    await world.until(START + 2 * HOUR - 1);
    assertEquals(world.notified(), ["opened failing 1"]);
    const [incident] = await world.records.incidents.open(1);
    assertObjectMatch(incident, { reason: { code: "failing", count: 2 }, said: "open" });
    world.run(1, START + 2 * HOUR);
    await world.until(START + 3 * HOUR - 1);
    assertEquals(world.notified(), ["opened failing 1", "resolved failing 1"]);
    const timeline = await world.records.events.timeline(incident.id);
    assertEquals(timeline.map(({ kind }) => kind), ["opened", "resolved"]);
    const [{ message }] = world.sent;
    assertEquals(message.event.data.url, `https://docket.example.com/incidents/${incident.id}`);
  }));

Deno.test("pollSchedule: a healthy schedule costs few requests", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    await world.until(START - 1);
    for (let hour = 0; hour < 24; hour++) {
      world.run(1, START + hour * HOUR + MINUTE / 2);
      await world.until(START + (hour + 1) * HOUR - 1);
    }
    assertEquals(world.notified(), []);
    assert(world.requests.length <= 24 * 12, `${world.requests.length} requests`);
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

Deno.test("pollSchedule: entries that come late, and runs that end, are seen", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 60 * HOUR, 61);
    await world.until(START + 10 * MINUTE);
    world.run(1, START - 5 * HOUR + MINUTE, { status: "failure" });
    world.run(1, START + HOUR, { endTime: undefined, status: "running" });
    await world.until(START + HOUR + 2 * MINUTE);
    const running = world.histories.get(1)!.at(-1)!;
    Object.assign(running, { status: "failure", endTime: new Date(START + HOUR).toISOString() });
    await world.until(START + HOUR + 10 * MINUTE);
    assertEquals(world.notified(), ["opened failing 1"]);
    assertEquals(await world.records.runs.count(1), 63);
  }));

Deno.test("pollSchedule: two polls of a watch whose lease ran out record it once", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    await world.until(START + MINUTE);
    world.run(1, START, { status: "failure" });
    await world.records.polls.makeDue(1, world.now());
    await Promise.all([world.observer.pollDue(), world.observer.pollDue()]);
    await world.observer.sendDue();
    assertEquals(world.notified(), ["opened failing 1"]);
  }));

Deno.test("pollSchedule: times without a zone are those of the service's", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 5);
    const local = (at: number) => new Date(at + 9 * HOUR).toISOString().slice(0, 19);
    world.run(1, START, { startTime: local(START) });
    await world.until(START + 30 * MINUTE);
    const [stored] = await world.records.runs.newest(1, 1);
    assertEquals([stored.start, stored.run.startTime], [START, new Date(START).toISOString()]);
    assertEquals(world.notified(), []);
  }, { zone: "Asia/Tokyo" }));

Deno.test("pollSchedule: a failure that retries repair is sent when no retry did, though nothing runs", () =>
  withWorld([1], async (world) => {
    const { now, records } = world;
    async function run(hour: number, minute: number, status: string) {
      const start = START + hour * HOUR + minute * MINUTE;
      await world.until(start + MINUTE);
      world.run(1, start, { status, automated: true });
    }
    for (let hour = 1; hour < 30; hour++) {
      await run(hour, 0, hour % 10 === 0 ? "failure" : "success");
      if (hour % 10 === 0) await run(hour, 5, "success");
    }
    const before = world.notified().length;
    await run(30, 0, "failure");
    // Retries ended 5 minutes after the failures: a tenth more, and a minute.
    const due = START + 30 * HOUR + MINUTE + 5.5 * MINUTE + MINUTE;
    await world.until(due - 1);
    assertEquals(world.notified().length, before);
    assertEquals((await records.verdicts.get(1))!.state, "down");
    await world.until(due);
    assertEquals([world.notified().slice(before), now()], [["opened failing 1"], due]);
    const [{ opened, notified }] =
      (await records.incidents.list({ scheduleId: 1, limit: 1 })).items;
    assertEquals([opened < due, notified], [true, due]);
  }));

Deno.test("pollSchedule: a run that does not end is sent while it is stuck", () =>
  withWorld([1], async (world) => {
    for (let day = -20; day < 0; day++) world.run(1, START + day * 24 * HOUR, { automated: true });
    world.run(1, START, { automated: true, status: "running", endTime: undefined });
    await world.until(START + HOUR / 2);
    assertEquals(world.notified(), ["opened stuck 1"]);
    assertEquals(world.sent[0].at, START + 10 * MINUTE + 1);
  }, { plans: () => ({ ...HOURLY, cron: ["0 0 * * *"] }) }));

Deno.test("pollSchedule: a schedule without a name has its newest title", () =>
  withWorld([1], async (world) => {
    for (
      const [hours, reportTitle] of [[-2, "Old"], [-1, "Sales\nfor ann.smith@example.com"]] as const
    ) {
      world.run(1, START + hours * HOUR, { reportTitle, status: "failure" });
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
    for (let hour = -48; hour < 0; hour++) {
      world.run(1, START + hour * HOUR, { automated: true });
    }
    await world.until(START - MINUTE);
    world.clockOffset = -400;
    const endTime = new Date(START).toISOString();
    world.run(1, START, { automated: true, endTime });
    await world.records.polls.makeDue(1, START + 60);
    await world.until(START + 100);
    assertEquals(await world.records.runs.count(1), 49);
    assertEquals(world.notified(), []);
  }));

Deno.test("pollSchedule: what is sent twelve times instead of once is notified as that", () =>
  withWorld([1], async (world) => {
    const recipients = [{ userId: 7, displayName: "Ada", emailAddress: "ada@example.com" }];
    for (let hour = -48; hour < 0; hour++) {
      world.run(1, START + hour * HOUR, { automated: true, recipients });
    }
    await world.until(START - MINUTE);
    for (let half = 0; half < 12; half++) {
      const start = START + half * MINUTE / 2;
      const endTime = new Date(start).toISOString();
      world.run(1, start, { automated: true, recipients, endTime });
    }
    world.run(1, START + HOUR, { automated: true, recipients });
    await world.until(START + HOUR + 30 * MINUTE);
    assertEquals(world.notified(), ["opened sent-twice 1"]);
    assertEquals(
      summaryOf(world.sent[0].message.event),
      "Schedule 1: sent 12 times for 10 Mar, 00:00 UTC to 1 person",
    );
  }));
