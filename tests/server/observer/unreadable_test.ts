import { assert, assertEquals, assertMatch } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { HttpStatusError } from "../../../lib/errors.ts";
import { JudgingError } from "../../../server/observer/judging/judging.ts";
import { GRACE, openCodes, runWell, START, withWorld, type World } from "./world.ts";

const answered = (status: number) => new HttpStatusError(status, "secret words", {});

/** A world whose schedules run well, and were read. */
function withRead(ids: readonly number[], test: (world: World) => Promise<void>): Promise<void> {
  return withWorld(ids, async (world) => {
    for (const id of ids) runWell(world, id, START - 5 * HOUR, 30);
    await world.until(START + 10 * MINUTE);
    await test(world);
  });
}

/** Why a schedule, or the service, can't be read, as the incident says. */
async function failureOf({ records }: World, scheduleId: number | null): Promise<string> {
  const [{ reason }] = await records.incidents.open(scheduleId);
  return reason.code === "unreadable" ? reason.failure ?? "" : reason.code;
}

Deno.test("pollSchedule: a service that is down is one incident, until some can be read", () =>
  withRead([1, 2, 3, 4], async (world) => {
    world.fault = () => answered(500);
    await world.until(START + 30 * MINUTE);
    // Schedules that are polled seldom notice it late: it is the same incident.
    assertEquals(world.notified(), ["opened unreadable service"]);
    assertEquals(await failureOf(world, null), "The service answered with status 500");
    const [{ opened, reason }] = await world.records.incidents.open(null);
    assert(opened - reason.since! <= MINUTE, "it opens when the second poll in a row fails");
    world.fault = (id) => id > 2 ? answered(500) : null;
    await world.until(START + 40 * MINUTE);
    const own = ["opened unreadable 3", "opened unreadable 4"];
    assertEquals(world.notified().slice(1).sort(), [...own, "resolved unreadable service"]);
    world.fault = null;
    await world.until(START + 45 * MINUTE);
    assertEquals(await world.records.incidents.allOpen(), []);
    assertEquals(world.notified().length, 6);
  }));

Deno.test("pollSchedule: a poll still waiting when an outage ends opens no incident of its schedule", () =>
  withRead([1, 2], async (world) => {
    const { watches, polls } = world.records;
    world.fault = () => answered(500);
    await world.until(START + 30 * MINUTE);
    world.fault = null;
    const now = world.now();
    await polls.makeDue(1, now);
    await polls.makeDue(2, now + 10_000);
    const { promise: late, reject } = Promise.withResolvers<never>();
    world.answer = () => {
      world.answer = null;
      return late;
    };
    const polling = world.observer.pollDue();
    const tick = () => new Promise((done) => setTimeout(done, 10));
    while (world.requests.at(-1)!.at < now) await tick();
    world.sleepUntil(now + 10_000);
    while ((await watches.get(2))!.failures > 0) await tick();
    reject(answered(504));
    await polling;
    assertEquals((await watches.get(1))!.failure, "The service answered with status 504");
    assertEquals(await openCodes(world), []);
  }));

Deno.test("pollSchedule: a refusal of one schedule is its own incident, one an hour", () =>
  withRead([1, 2, 3], async (world) => {
    const before = world.requests.length;
    const refuse = async (minutes: number) => {
      world.fault = (id) => id === 2 ? answered(403) : null;
      await world.until(world.now() + minutes * MINUTE);
      world.fault = null;
      await world.until(world.now() + 10 * MINUTE);
    };
    await refuse(20);
    const asked = world.requests.slice(before).find(({ scheduleId }) => scheduleId === 2);
    assertEquals(world.sent[0].at, asked?.at);
    await refuse(20);
    const once = ["opened unreadable 2", "resolved unreadable 2"];
    assertEquals(world.notified(), [...once, ...once]);
    assertEquals(new Set(world.sent.map(({ message }) => message.event.data.incident.id)).size, 1);
    await world.records.watches.change(3, { mutedUntil: START + 9 * HOUR }, world.now());
    world.fault = (id) => id === 3 ? answered(403) : null;
    await world.until(world.now() + 10 * MINUTE);
    assertEquals([await openCodes(world, 3), world.notified().length], [["unreadable"], 4]);
  }));

Deno.test("pollSchedule: a refusal is the service's if a second readable schedule is refused too", () =>
  withRead([1, 2, 3], async (world) => {
    world.fault = () => answered(403);
    await world.until(START + 30 * MINUTE);
    assertEquals(world.notified(), ["opened unreadable service"]);
    const words = /^The service refuses schedules \d and \d \(status 403\)$/;
    assertMatch(await failureOf(world, null), words);
    // Only one is refused for good.
    world.fault = (id) => id === 2 ? answered(403) : null;
    await world.until(START + 45 * MINUTE);
    const sent = world.notified().slice(1).sort();
    assertEquals(sent, ["opened unreadable 2", "resolved unreadable service"]);
  }));

Deno.test("pollSchedule: an outage changes nothing of a schedule that was refused before", () =>
  withRead([1, 2, 3], async (world) => {
    world.fault = (id) => id === 2 ? answered(403) : null;
    await world.until(START + 30 * MINUTE);
    world.fault = () => answered(500);
    await world.until(START + 50 * MINUTE);
    assertEquals(world.notified(), ["opened unreadable 2", "opened unreadable service"]);
    assertMatch(await failureOf(world, 2), /status 403/);
  }));

Deno.test("pollSchedule: after a failure, what is overdue is sent within a round", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 5 * HOUR, 6);
    await world.until(START + HOUR + 1000);
    world.fault = () => answered(500);
    await world.until(START + HOUR + GRACE - 5000);
    world.fault = null;
    await world.until(START + HOUR + GRACE + 10 * MINUTE);
    const at = world.sent[world.notified().indexOf("opened overdue 1")]?.at;
    const { waitsMs } = (await world.records.verdicts.get(1))!.details;
    assert(at <= START + HOUR + GRACE + waitsMs + MINUTE, `${at - START}`);
  }));

Deno.test("pollSchedule: a history that can't be judged is an incident", () =>
  withWorld([1, 2], async (world) => {
    for (const id of [1, 2]) world.run(id, START - HOUR);
    world.judgingFault = new JudgingError("It takes too long");
    await world.until(START + HOUR / 2);
    assertEquals(world.notified().sort(), ["opened unreadable 1", "opened unreadable 2"]);
    world.judgingFault = null;
    await world.until(START + HOUR - 1);
    assertEquals([await openCodes(world), await world.records.runs.count(1)], [["overdue"], 1]);
  }));

Deno.test("overviewOn: what can't be read is unknown, unless it is known to be down", () =>
  withRead([1, 2, 3], async (world) => {
    const states = async () =>
      (await world.records.overview.figures()).map(({ headline, state }) => `${headline} ${state}`);
    world.fault = (id) => id < 3 ? answered(403) : null;
    world.run(3, START + HOUR + 3 * MINUTE, { status: "failure" });
    await world.until(START + HOUR + 20 * MINUTE);
    assertEquals(await states(), ["unknown unknown", "unknown unknown", "failing down"]);
    const counts = await world.records.overview.countHeadlines("watched");
    assertEquals([counts.unknown, counts.failing, counts.healthy], [2, 1, 0]);
    world.fault = (id) => id === 3 ? answered(403) : null;
    await world.until(START + HOUR + 40 * MINUTE);
    assertEquals((await states())[2], "failing down");
  }));
